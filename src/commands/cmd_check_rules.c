/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach check-rules: finds errors in a file of rules, or in the files of a folder. */
#include "cli.h"
#include "rulefolder.h"
#include "rules.h"
#include "textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const char *name;
    int rules, complaints;
};

static void print_finding(void *to, int line, bool fatal, const char *why)
{
    struct check *check = to;
    (void)fatal;
    check->complaints++;
    fprintf(stderr, "%s:%d: %s\n", check->name, line, why);
}

/* A rule that never matches does no harm, but is probably a mistake, so it counts as a complaint. */
static void check_file(struct check *check, const char *name)
{
    char why[256];
    int before = check->complaints;
    check->name = name;
    char *text = textfile_read(name, why, sizeof why);
    struct rules *rules = text ? rules_parse(text, print_finding, check) : NULL;
    if (!text) {
        check->complaints++;
        say("%s cannot be read: %s", name, why);
    }
    if (!rules && check->complaints == before)
        cli_fail(STATUS_FAILED, "out of memory");
    check->rules += rules ? rules->count : 0;
    free(text);
    free(rules);
}

static void check_each(void *to, const char *file, bool taken)
{
    struct check *check = to;
    check_file(check, file);
    if (taken)
        return;
    check->complaints++;
    fprintf(stderr, "%s: no job takes a file of this name; call it RANKS-on-NODES.rules, RANKS.rules or default.rules\n",
            file);
}

static int check_rules(char **operand)
{
    struct check check = {0};
    char files[32] = "";
    if (is_rulefolder(operand[0])) {
        int count = rulefolder_each(operand[0], check_each, &check);
        if (count <= 0)
            cli_fail(STATUS_FAILED, "%s cannot be read: %s", operand[0],
                     count < 0 ? strerror(errno) : "it is a folder without files *.rules");
        snprintf(files, sizeof files, "%d file%s, ", count, plural(count));
    } else {
        check_file(&check, operand[0]);
    }
    if (!check.complaints)
        printf("%s: %s%d rule%s: ok\n", operand[0], files, check.rules, plural(check.rules));
    return check.complaints ? STATUS_FAILED : 0;
}

const struct command command_check_rules = {
    .name = "check-rules",
    .usage = "FILE|FOLDER",
    .summary = "find errors in a file of rules, or in a folder of them",
    .details = "Reads a file of rules as the library reads the file that PLEACH_RULES names; see pleach-rules(5). Prints\n"
               "the line and the reason of every error, and of every rule that can never match; both make the exit\n"
               "status 1. If nothing is wrong, prints the number of rules. In a folder, reads all files *.rules, and\n"
               "also reports files that no job would take.\n",
    .least = 1,
    .most = 1,
    .work = check_rules,
};
