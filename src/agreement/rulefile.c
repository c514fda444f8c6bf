/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the file of rules on one rank, and shares the text with all ranks; see agree.h. */
#include "agree.h"

#include "newfile.h"
#include "process.h"
#include "record.h"
#include "rulefolder.h"
#include "small_stack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_broken(const struct comm *c, const char *setting, const char *effect, atomic_flag *said, const char *format, ...)
{
    const bool strict = process.settings.strict;
    if (c->rank == 0 && !atomic_flag_test_and_set(said)) {
        char *why;
        va_list ap;
        va_start(ap, format);
        if (vasprintf(&why, format, ap) < 0)
            why = NULL;
        va_end(ap);
        say("%s: %s; %s", setting, why ? why : "out of memory",
            strict ? "the program is aborted, as PLEACH_STRICT says" : effect);
        free(why);
    }
    if (c->rank == 0 && strict)
        abort_job();
}

#define broken(c, said, ...) text_broken(c, "PLEACH_RULES", "every call goes to the native MPI library", said, __VA_ARGS__)

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

static char *at_start; /* the text of the file, if rulefile_begin() has read it */

/* What rank 0 alone knows of the text. */
struct text_source {
    char name[RULEFOLDER_FILE], reason[SETTING_TEXT];
};

void rulefile_begin(void)
{
    const struct settings *s = &process.settings;
    if (!s->rules[0] || is_rulefolder(process.rules) || !newfile_same(process.rules, process.learn))
        return;
    struct text_source *from = malloc(sizeof *from);
    if (from)
        at_start = rulefolder_read(process.rules, process.learn, 1, 1, from->name, from->reason, sizeof from->reason);
    free(from);
}

/* Returns the text for a group of so many ranks and nodes, as rulefolder_read() does. */
static char *text_for(int ranks, int nodes, struct text_source *from)
{
    if (!at_start)
        return rulefolder_read(process.rules, "", ranks, nodes, from->name, from->reason, sizeof from->reason);
    snprintf(from->name, sizeof from->name, "%s", process.rules);
    snprintf(from->reason, sizeof from->reason, "out of memory");
    return strdup(at_start);
}

void rulefile_read(struct comm *c, struct group_info *found)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    struct text_source *from = c->rank == 0 ? calloc(1, sizeof *from) : NULL;
    struct rules_error first = {0};
    bool unread;
    char *text = text_shared(c, from ? text_for(c->ranks, found->nodes, from) : NULL, &unread);
    const char *name = from ? from->name : process.rules;
    if (unread) {
        broken(c, &said, "%s cannot be read: %s", name, from ? from->reason : "out of memory");
        found->barred = REASON_BAD_RULES;
        free(from);
        return;
    }
    struct rules *rules = text ? rules_parse(text, rules_keep_first, &first) : NULL;
    if (!pmpi_agreed(c->user, rules != NULL, MPI_MIN)) {
        if (first.line)
            broken(c, &said, "%s:%d: %s", name, first.line, first.why);
        else
            broken(c, &said, "%s cannot be read: out of memory", name);
        found->barred = first.line ? REASON_BAD_RULES : REASON_NO_MEMORY;
        free(rules);
        rules = NULL;
    }
    if (rules && rules->count == 0) { /* a file without rules has the effect of no file */
        free(rules);
        rules = NULL;
    }
    found->rules = found->own_rules = rules;
    if (rules && c->rank == 0)
        found->rules_file = found->own_rules_file = strdup(name);
    if (rules && rules->sited && !record_on())
        call_site_open(process.settings.stack);
    free(text);
    free(from);
}
