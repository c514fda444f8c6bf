/* SPDX-License-Identifier: BSD-2-Clause */
/* See learned.h. */
#include "learned.h"

#include "hash.h"
#include "hold.h"
#include "lockfile.h"
#include "newfile.h"
#include "say.h"
#include "textfile.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY = 1024, LEARNED_MOST = 512 }; /* bytes of a reason; rules in the table */

struct learned {
    uint64_t group;
    struct kind_traits kind;
    bool disturbed; /* the rule is for this run alone */
    bool written;
    struct rule rule;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows; never held across an MPI call */
static struct learned table[LEARNED_MOST];
static unsigned kept; /* entries so far; a new one goes to kept % LEARNED_MOST */
static struct {
    atomic_bool on;
    pid_t owner;         /* the process that opened it */
    char name[PATH_MAX]; /* absolute, as programs change their working folder */
    bool complained;
} file;

static const char EMPTY[] =
    "pleach-rules 1\n# Learned by Pleach, which replaces no other rules than those of origin learned.\n";

/* ---- The file -------------------------------------------------------------------------------------------------------- */

static void say_once(const char *why)
{
    if (!file.complained)
        say("PLEACH_LEARN: %s; what this run learns is not kept", why);
    file.complained = true;
}

static int in_order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* A rule comes before rules that have all its calls, and more. */
static bool precedes(const struct rule *a, const struct rule *b)
{
    const int order[] = {in_order(a->collectives, b->collectives),
                         in_order(a->ops, b->ops),
                         in_order(a->roots, b->roots),
                         in_order(a->ranks.least, b->ranks.least),
                         in_order(a->node_ranks.least, b->node_ranks.least),
                         in_order(a->bytes.most, b->bytes.most),
                         in_order(b->bytes.least, a->bytes.least)};
    size_t i = 0;
    while (i + 1 < sizeof order / sizeof order[0] && !order[i])
        i++;
    return order[i] < 0;
}

/* goes: the new rule replaces the line; before: it comes before it */
static void look_at_line(const struct rules *r, int line, const struct rule *rule, bool *goes, bool *before)
{
    *goes = *before = false;
    for (const struct rule *old = r->rule; old < r->rule + r->count + r->stale; old++)
        if (old->line == line && old->evidence.origin == ORIGIN_LEARNED) {
            *goes = rule_covers(rule, old);
            *before = !*goes && precedes(rule, old);
        }
}

static void put_text(FILE *f, const char *text, const struct rules *r, const struct rule *rule)
{
    bool put = false, goes, before;
    for (int line = 1; *text; line++) {
        const size_t length = strcspn(text, "\n");
        look_at_line(r, line, rule, &goes, &before);
        if ((goes || before) && !put)
            rule_put(f, rule);
        put |= goes || before;
        if (!goes)
            fprintf(f, "%.*s\n", (int)length, text);
        text += length + (text[length] != 0);
    }
    if (!put)
        rule_put(f, rule);
}

char *learned_put(const char *text, const struct rule *rule, char *why, size_t size)
{
    struct rules_error first = {0};
    struct rules *rules = rules_parse(text, rules_keep_first, &first);
    char *made = NULL;
    size_t length;
    const bool full = rules && rules->count + rules->stale == RULES_MOST;
    FILE *f = rules && !full ? open_memstream(&made, &length) : NULL;
    if (first.line)
        snprintf(why, size, "is no file of rules, so it stays as it is: line %d: %.300s", first.line, first.why);
    else if (full)
        snprintf(why, size, "has no room for more than %d rules", RULES_MOST);
    else
        snprintf(why, size, "cannot be written: out of memory");
    if (f) {
        locale_t before = uselocale(c_locale());
        put_text(f, text, rules, rule);
        uselocale(before);
        const bool good = !ferror(f);
        if (fclose(f) != 0 || !good) {
            free(made);
            made = NULL;
        }
    }
    free(rules);
    return made;
}

static void mark_written(bool written)
{
    for (struct learned *l = table; l < table + LEARNED_MOST; l++)
        l->written = written && l->rule.engine.rows;
}

static bool to_write(const struct learned *l)
{
    return l->rule.engine.rows && !l->written && !l->disturbed;
}

/* All entries that the text lacks. False, with the reason, if some do not go in. */
static bool put_all(char **text, char *why)
{
    char reason[WHY / 2], *more;
    bool all = true;
    for (struct learned *l = table; l < table + LEARNED_MOST; l++)
        if (to_write(l)) {
            more = learned_put(*text, &l->rule, reason, sizeof reason);
            if (more) {
                free(*text);
                *text = more;
                l->written = true;
            } else
                snprintf(why, WHY, "%.500s %s", file.name, reason);
            all = all && more;
        }
    return all;
}

/* A new file gets its first lines even if nothing was learned. */
static bool write_file(char *why)
{
    char reason[256];
    const int held = lockfile_open(file.name, why, WHY);
    char *text = held >= 0 ? textfile_read(file.name, reason, sizeof reason) : NULL;
    if (held >= 0 && !text)
        snprintf(why, WHY, "%.500s cannot be read: %s", file.name, reason);
    if (text && !*text) {
        free(text);
        text = strdup(EMPTY);
        mark_written(false); /* the file was removed */
    }
    bool good = text && put_all(&text, why);
    if (text && !newfile_write(file.name, text, why, WHY)) {
        mark_written(false);
        good = false;
    }
    free(text);
    if (held >= 0)
        lockfile_close(held);
    return good;
}

static void update(void)
{
    char why[WHY] = "out of memory";
    int saved = errno, uncancelled;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    if (!write_file(why))
        say_once(why);
    pthread_setcancelstate(uncancelled, NULL);
    errno = saved;
}

static bool writes(void)
{
    return atomic_load(&file.on) && getpid() == file.owner;
}

void learned_open(const char *name)
{
    char why[WHY];
    int saved = errno;
    HOLD(lock);
    if (file.owner)
        return;
    file.owner = getpid();
    if (!newfile_path(name, file.name, sizeof file.name))
        snprintf(why, sizeof why, "%s: %s", name, strerror(errno));
    else if (newfile_possible(file.name, why, sizeof why) && write_file(why))
        atomic_store(&file.on, true); /* the file exists even if nothing is learned: PLEACH_RULES may name it */
    if (!atomic_load(&file.on))
        say_once(why);
    errno = saved;
}

void learned_flush(void)
{
    bool all = true;
    HOLD(lock);
    for (const struct learned *l = table; l < table + LEARNED_MOST; l++)
        all = all && !to_write(l);
    if (!all && writes())
        update();
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

void learned_keep(uint64_t group, const struct kind *k, const struct rule *rule)
{
    unsigned at = 0;
    HOLD(lock);
    while (at < LEARNED_MOST && (!group || table[at].group != group || table[at].kind.key != k->key))
        at++;
    if (at == LEARNED_MOST)
        at = kept++ % LEARNED_MOST;
    table[at] = (struct learned){group, {k->key, k->shadow, k->again, k->shares}, kind_disturbed(k), false, *rule};
    if (writes())
        update();
}

uint64_t learned_start(uint64_t group, struct history *history)
{
    uint64_t h = group;
    HOLD(lock);
    for (unsigned i = 0; group && i < LEARNED_MOST && i < kept; i++)
        if (table[i].group == group) {
            const struct kind *k = history_start(history, &table[i].kind, &table[i].rule);
            h = k ? kind_hash(h, k) : h;
        }
    return h;
}
