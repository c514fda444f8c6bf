/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the file of rules on one rank, and shares the text with all ranks; see agree.h. */
#include "agree.h"

#include "newfile.h"
#include "process.h"
#include "record.h"
#include "rulefolder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_broken(const struct comm *c, const char *setting, const char *why, const char *effect, atomic_flag *said)
{
    bool strict = process.settings.strict;
    if (c->rank == 0 && !atomic_flag_test_and_set(said))
        say("%s: %s; %s", setting, why, strict ? "the program is aborted, as PLEACH_STRICT says" : effect);
    if (c->rank == 0 && strict)
        abort_job();
}

static void broken(const struct comm *c, const char *why)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    text_broken(c, "PLEACH_RULES", why, "every call goes to the native MPI library", &said);
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

static char *at_start; /* the text of the file, if rulefile_begin() has read it */

void rulefile_begin(void)
{
    const struct settings *s = &process.settings;
    char name[RULEFOLDER_FILE], why[SETTING_TEXT];
    if (s->rules[0] && !is_rulefolder(process.rules) && newfile_same(process.rules, s->learn))
        at_start = rulefolder_read(process.rules, s->learn, 1, 1, name, why, sizeof why);
}

/* Returns the text for a group of so many ranks and nodes, as rulefolder_read() does. */
static char *text_for(int ranks, int nodes, char name[RULEFOLDER_FILE], char *reason, size_t size)
{
    if (!at_start)
        return rulefolder_read(process.rules, "", ranks, nodes, name, reason, size);
    snprintf(name, RULEFOLDER_FILE, "%s", process.rules);
    snprintf(reason, size, "out of memory");
    return strdup(at_start);
}

void rulefile_read(struct comm *c, struct group_info *found)
{
    char name[RULEFOLDER_FILE] = "", reason[SETTING_TEXT] = "", why[PROBLEM_TEXT], *text = NULL;
    struct rules_error first = {0};
    bool unread;
    if (c->rank == 0)
        text = text_for(c->ranks, found->nodes, name, reason, sizeof reason);
    text = text_shared(c, text, &unread);
    if (unread) {
        snprintf(why, sizeof why, "%s cannot be read: %s", name, reason);
        broken(c, why);
        found->barred = REASON_BAD_RULES;
        return;
    }
    struct rules *rules = text ? rules_parse(text, rules_keep_first, &first) : NULL;
    if (!pmpi_agreed(c->user, rules != NULL, MPI_MIN)) {
        snprintf(why, sizeof why, first.line ? "%s:%d: %s" : "%s cannot be read: out of memory", name, first.line,
                 first.why);
        broken(c, why);
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
}
