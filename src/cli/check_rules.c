/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach check-rules: what is wrong with a file of rules. */
#include "cli.h"
#include "rules.h"
#include "textfile.h"

#include <stdlib.h>

struct check {
    const char *name;
    int findings;
};

static void print_finding(void *to, int line, bool fatal, const char *why)
{
    struct check *check = to;
    (void)fatal;
    check->findings++;
    fprintf(stderr, "%s:%d: %s\n", check->name, line, why);
}

/* A rule that never matches does no harm, but is not what its author meant: it fails the check, too. */
static int check_file(char **operand)
{
    char why[256];
    struct check check = {.name = operand[0]};
    char *text = textfile_read(check.name, why, sizeof why);
    struct rules *rules = text ? rules_parse(text, print_finding, &check) : NULL;
    if (!text)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", check.name, why);
    if (!rules && !check.findings)
        cli_fail(STATUS_FAILED, "out of memory");
    free(text);
    if (!check.findings)
        printf("%s: %d rule%s: ok\n", check.name, rules->count, rules->count == 1 ? "" : "s");
    free(rules);
    return check.findings ? STATUS_FAILED : 0;
}

const struct command command_check_rules = {
    .name = "check-rules",
    .usage = "FILE",
    .summary = "find what is wrong with a file of rules",
    .details = "Reads a file of rules as the library reads the one that PLEACH_RULES names; see pleach-rules(5). Prints\n"
               "line and reason of every error, and of every rule that can never match; either makes the exit status\n"
               "1. If there are none, prints the number of rules.\n",
    .least = 1,
    .most = 1,
    .work = check_file,
};
