/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach export: turns rules for an MPI library's own algorithms into a tuning file of that library. */
#include "cli.h"
#include "elffile.h"
#include "export.h"
#include "newfile.h"
#include "parts.h"
#include "textfile.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int target = -1;
static const char *library, *output;

static void check_options(void)
{
    if (target < 0)
        cli_fail(STATUS_USAGE, "--for is missing");
    if (library && target != TARGET_MPICH)
        cli_fail(STATUS_USAGE, "--library is for mpich alone");
}

/* Opens MPICH's library: the one of --library, or the one that pleach-mpi opens. */
static void open_library(struct elf *e)
{
    static char found[PATH_MAX];
    char path[PATH_MAX];
    if (!library && parts_find(PART_HELPER, path) &&
        tool_asked((const char *const[]){path, "library", NULL}, TOOL_SECONDS, found, sizeof found)) {
        found[strcspn(found, "\n")] = 0;
        library = found;
    }
    if (!library)
        cli_fail(STATUS_FAILED, "found no library of MPICH, whose defaults the file keeps; name it by --library");
    if (!elf_open(e, library))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", library, strerror(errno));
}

/*
 * Says how many rules the file leaves out, and why. Ends the command if the file would have no rule, or only rules that keep
 * the library's defaults.
 */
static void tell(const enum outcome *outcome, const struct rules *all)
{
#define REASON(name, reason) reason,
    static const char *const reasons[] = {OUTCOMES(REASON)};
    const int rules = all->count;
    int count[OUT_WRITTEN + 1] = {0}, defaults = 0, length = 0;
    char text[512] = "";
    for (int i = 0; i < rules; i++) {
        count[outcome[i]]++;
        defaults += outcome[i] == OUT_WRITTEN && !*exported_name(&all->rule[i]);
    }
    for (int o = 0; o < OUT_WRITTEN; o++)
        if (count[o])
            length +=
                snprintf(text + length, sizeof text - (size_t)length, "%s %d %s", length ? "," : ":", count[o], reasons[o]);
    if (!count[OUT_WRITTEN])
        cli_fail(STATUS_FAILED, "there is nothing to export in %d rule%s%s", rules, plural(rules), text);
    if (defaults == count[OUT_WRITTEN])
        cli_fail(STATUS_FAILED, "there is nothing to export in %d rule%s: %d that keep%s the library's default%s%s", rules,
                 plural(rules), defaults, defaults == 1 ? "s" : "", length ? "," : "", length ? text + 1 : "");
    if (length)
        say("%d of %d rules left out%s", rules - count[OUT_WRITTEN], rules, text);
}

static int export_rules(char **operand)
{
    char why[512];
    struct rules *rules = cli_rules(textfile_read(operand[0], why, sizeof why), operand[0], why);
    enum outcome *outcome = cli_memory((size_t)rules->count + 1, sizeof *outcome);
    struct elf e = {.bytes = NULL};
    if (target == TARGET_MPICH)
        open_library(&e);
    char *text = export_file((enum target)target, rules, e.bytes, e.size, outcome);
    if (!text)
        cli_fail(STATUS_FAILED, "%s has no tree of algorithms, which MPICH has from release 4.0 on", library);
    tell(outcome, rules);
    if (output && !newfile_write(output, text, why, sizeof why))
        cli_fail(STATUS_FAILED, "%s", why);
    if (!output)
        fputs(text, stdout);
    elf_close(&e);
    free(text);
    free(outcome);
    free(rules);
    return 0;
}

static const struct command_option options[] = {
    {"for", TARGET_WORDS, "the MPI library; required", OPTION_WORD, 0, 0, &target},
    {"library", "FILE", "the library of MPICH; default: the one that pleach-mpi loads", OPTION_TEXT, 0, 0, &library},
    {"o,output", "FILE", "the file to write; default: standard output", OPTION_TEXT, 0, 0, &output},
    {0},
};

const struct command command_export = {
    .name = "export",
    .usage = "RULES --for " TARGET_WORDS " [OPTION...]",
    .summary = "write rules for native algorithms as a tuning file of the MPI library",
    .details = "Turns rules with engines native:NAME into a tuning file of the MPI library itself, for programs that run\n"
               "without Pleach. A line on standard error counts the rules that this file leaves out.\n",
    .options = options,
    .least = 1,
    .most = 1,
    .check = check_options,
    .work = export_rules,
};
