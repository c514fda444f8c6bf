/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach check-rules: finds errors in a file of rules. */
#include "cli.h"
#include "rules.h"
#include "textfile.h"

#include <stdlib.h>

static const char *name;
static int complaints;

/* A rule that never matches does no harm, but is probably a mistake, so it counts as a complaint. */
static void print_finding(void *to, int line, bool fatal, const char *why)
{
    (void)to, (void)fatal;
    complaints++;
    fprintf(stderr, "%s:%d: %s\n", name, line, why);
}

static int check_rules(char **operand)
{
    char why[256];
    name = operand[0];
    char *text = textfile_read(name, why, sizeof why);
    if (!text)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, why);
    struct rules *rules = rules_parse(text, print_finding, NULL);
    cli_enough(rules || complaints);
    if (complaints)
        say("see pleach-rules(5)");
    else
        printf("%s: %d rule%s: ok\n", name, rules->count, plural(rules->count));
    free(text);
    free(rules);
    return complaints ? STATUS_FAILED : 0;
}

const struct command command_check_rules = {
    .name = "check-rules",
    .usage = "FILE",
    .summary = "find errors in a file of rules",
    .details = "Prints the line and the reason of every error in a file for PLEACH_RULES, and of every rule that can never\n"
               "match; both make the exit status 1. If nothing is wrong, prints the number of rules.\n",
    .least = 1,
    .most = 1,
    .work = check_rules,
};
