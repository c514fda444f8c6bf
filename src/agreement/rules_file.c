/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the file of rules on one rank, and shares the text with all ranks; see agree.h. */
#include "agree.h"

#include "newfile.h"
#include "process.h"
#include "record.h"
#include "small_stack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_broken(const struct comm *c, int problem, atomic_flag *said, const char *format, ...)
{
    const bool strict = process.settings.strict;
    if (c->rank == 0 && !atomic_flag_test_and_set(said)) {
        char *why;
        va_list ap;
        va_start(ap, format);
        if (vasprintf(&why, format, ap) < 0)
            why = NULL;
        va_end(ap);
        say("PLEACH_%s: %s%s", problem == PROBLEM_RULES ? "RULES" : "PLACES", why ? why : "out of memory",
            problem_end(problem, strict));
        free(why);
    }
    if (c->rank == 0 && strict)
        abort_job();
}

char *text_shared(struct comm *c, char *text, bool *unread)
{
    int length = text ? (int)strlen(text) + 1 : 0;
    pmpi.Bcast(&length, 1, MPI_INT, 0, c->user);
    *unread = length == 0;
    if (length == 0)
        return NULL;
    if (c->rank != 0)
        text = malloc((size_t)length);
    if (!pmpi_agreed(c->user, text != NULL, MPI_MIN) || !text) { /* pmpi_agreed() implies `text` */
        free(text);
        return NULL;
    }
    pmpi.Bcast(text, length, MPI_CHAR, 0, c->user);
    return text;
}

static char *at_start; /* as rules_file_begin() has read it */

void rules_file_begin(void)
{
    const struct settings *s = &process.settings;
    char why[SETTING_TEXT];
    if (s->rules[0] && newfile_same(process.rules, process.learn))
        at_start = rules_read(process.rules, process.learn, why, sizeof why);
}

void rules_file_read(struct comm *c, struct group_info *found)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char why[SETTING_TEXT] = "out of memory", *text = NULL;
    struct rules_error first = {0};
    bool unread;
    if (c->rank == 0)
        text = at_start ? strdup(at_start) : rules_read(process.rules, "", why, sizeof why);
    text = text_shared(c, text, &unread);
    if (unread) {
        text_broken(c, PROBLEM_RULES, &said, "%s cannot be read: %s", process.rules, why);
        found->barred = REASON_BAD_RULES;
        return;
    }
    struct rules *rules = text ? rules_parse(text, rules_keep_first, &first) : NULL;
    if (!pmpi_agreed(c->user, rules != NULL, MPI_MIN)) {
        if (first.line)
            text_broken(c, PROBLEM_RULES, &said, "%s:%d: %s", process.rules, first.line, first.why);
        else
            text_broken(c, PROBLEM_RULES, &said, "%s cannot be read: out of memory", process.rules);
        found->barred = first.line ? REASON_BAD_RULES : REASON_NO_MEMORY;
        free(rules);
        rules = NULL;
    }
    if (rules && rules->count == 0) { /* as without a file */
        free(rules);
        rules = NULL;
    }
    found->rules = found->own_rules = rules;
    found->rules_read = c->rank == 0;
    if (rules && rules->sited && !record_on())
        call_site_open(process.settings.stack);
    free(text);
}
