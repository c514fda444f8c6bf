/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes lessons as a file of rules, and reads them back; see lessons.h. */
#include "lessons.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEADER[] = "# Learned by Pleach, which rewrites this file; change a copy.\n"
                             "# Before each rule: a typical size, times of a call, their spread, calls measured.\n";

/* ---- The table ------------------------------------------------------------------------------------------------------ */

/* Compares the kinds of two lessons, like strcmp(). The size class counts least. */
static int compare(const struct lesson *a, const struct lesson *b)
{
    const int x[] = {(int)a->collective, (int)a->op, (int)a->root, a->ranks, a->node_ranks, a->size_class};
    const int y[] = {(int)b->collective, (int)b->op, (int)b->root, b->ranks, b->node_ranks, b->size_class};
    size_t i = 0;
    while (i + 1 < sizeof x / sizeof x[0] && x[i] == y[i])
        i++;
    return (x[i] > y[i]) - (x[i] < y[i]);
}

bool lessons_put(struct lessons *l, const struct lesson *lesson)
{
    int i = 0;
    assert(lesson->size_class >= 0 && lesson->size_class < LESSON_CLASSES && lesson->engine && lesson->block >= 0);
    assert(collective_reduces(lesson->collective) == (lesson->op != OP_NONE));
    assert(lesson->root == ROOT_FIRST || collective_rooted(lesson->collective));
    while (i < l->count && compare(&l->lesson[i], lesson) < 0)
        i++;
    if (i == l->count || compare(&l->lesson[i], lesson) != 0) {
        if (l->count == LESSONS_MOST)
            return false;
        memmove(&l->lesson[i + 1], &l->lesson[i], (size_t)(l->count++ - i) * sizeof l->lesson[0]);
    }
    l->lesson[i] = *lesson;
    return true;
}

/* ---- Writing -------------------------------------------------------------------------------------------------------- */

/* Writes a time in microseconds. `?' stands for an unknown time, and for a time so short that it may print as 0.0. */
static void put_time(FILE *f, const char *name, double seconds)
{
    if (isfinite(seconds) && seconds >= 0.06e-6)
        fprintf(f, " %s %.1f us,", name, seconds * 1e6);
    else
        fprintf(f, " %s ? us,", name);
}

static void put_figures(FILE *f, const struct lesson *l)
{
    fprintf(f, "# %" PRId64 " bytes:", l->bytes);
    put_time(f, engines[0]->name, l->native);
    if (l->engine != engines[0])
        put_time(f, l->engine->name, l->seconds);
    fprintf(f, " spread %.0f%%, %d calls\n", isfinite(l->spread) && l->spread > 0 ? 100 * l->spread : 0.0, l->calls);
}

/* Writes the rule for the kinds `first` to `last`, which differ only in their size class and evidence. */
static void put_rule(FILE *f, const struct lesson *first, const struct lesson *last)
{
    for (const struct lesson *l = first; l <= last; l++)
        put_figures(f, l);
    struct rule rule = rule_for(first->collective, first->op, first->ranks, first->node_ranks, first->engine, first->block);
    if (collective_rooted(first->collective))
        rule.roots = 1u << first->root;
    rule.bytes = (struct span){(int64_t)1 << first->size_class, ((int64_t)2 << last->size_class) - 1};
    rule_put(f, &rule);
}

/* Is `next` the lesson of l's kind in the next size class, with the same winner and size of blocks? */
static bool continues(const struct lesson *next, const struct lesson *l)
{
    struct lesson larger = *l;
    larger.size_class++;
    return compare(next, &larger) == 0 && next->engine == l->engine && next->block == l->block;
}

static void put_text(FILE *f, const struct lessons *l)
{
    fprintf(f, "pleach-rules %d\n%s", RULES_VERSION, HEADER);
    for (int first = 0, last; first < l->count; first = last + 1) {
        for (last = first; last + 1 < l->count && continues(&l->lesson[last + 1], &l->lesson[last]);)
            last++;
        put_rule(f, &l->lesson[first], &l->lesson[last]);
    }
}

char *lessons_text(const struct lessons *l)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    locale_t before = uselocale(c_locale());
    put_text(f, l);
    uselocale(before);
    bool good = !ferror(f);
    if (fclose(f) == 0 && good)
        return text;
    free(text);
    return NULL;
}

/* ---- Reading -------------------------------------------------------------------------------------------------------- */

/* Reads the evidence, without checks: lessons_read() compares what lessons_text() writes with the text that it has read. */
static void parse_figures(struct lesson *l, const char *line)
{
    char native[32] = "", seconds[32] = "";
    double percent = 0;
    if (l->engine == engines[0])
        sscanf(line, "# %" SCNd64 " bytes: %*s %31[0-9.?] us, spread %lf%%, %d calls", &l->bytes, native, &percent,
               &l->calls);
    else
        sscanf(line, "# %" SCNd64 " bytes: %*s %31[0-9.?] us, %*s %31[0-9.?] us, spread %lf%%, %d calls", &l->bytes, native,
               seconds, &percent, &l->calls);
    l->native = strtod(native, NULL) / 1e6;
    l->seconds = l->engine == engines[0] ? l->native : strtod(seconds, NULL) / 1e6;
    l->spread = percent / 100;
}

/* Moves *p from line *number to line `wanted`. Returns false if that line is an earlier one, or the text ends before it. */
static bool go_to_line(const char **p, int *number, int wanted)
{
    for (; *number < wanted; ++*number) {
        *p = strchr(*p, '\n');
        if (!*p)
            return false;
        ++*p;
    }
    return *number == wanted;
}

/* Takes a lesson for each kind of a rule. *p is in the line with the evidence of the first kind, or in an earlier line. */
static bool parse_rule(struct lessons *l, const struct rule *rule, const char **p, int *number)
{
    if (rule->bytes.least < 1 || rule->bytes.most >> LESSON_CLASSES || !rule->engine.rows)
        return false;
    int least = 63 - __builtin_clzll((uint64_t)rule->bytes.least), most = 63 - __builtin_clzll((uint64_t)rule->bytes.most);
    for (int k = least; k <= most; k++) {
        struct lesson lesson = {.collective = (enum collective)__builtin_ctz(rule->collectives),
                                .op = (enum op_class)__builtin_ctz(rule->ops),
                                .root = (enum root_place)__builtin_ctz(rule->roots),
                                .ranks = (int)rule->ranks.least,
                                .node_ranks = (int)rule->node_ranks.least,
                                .size_class = k,
                                .engine = engines[__builtin_ctzll(rule->engine.rows)],
                                .block = rule->block};
        if (collective_reduces(lesson.collective) != (lesson.op != OP_NONE) ||
            (lesson.root != ROOT_FIRST && !collective_rooted(lesson.collective)) ||
            !go_to_line(p, number, rule->line - 1 - most + k))
            return false;
        parse_figures(&lesson, *p);
        if (!lessons_put(l, &lesson))
            return false;
    }
    return true;
}

bool lessons_read(struct lessons *l, const char *text)
{
    struct rules *rules = rules_parse(text, NULL, NULL);
    const char *line = text;
    int number = 1;
    bool good = rules != NULL;
    locale_t before = uselocale(c_locale());
    l->count = 0;
    for (int i = 0; good && i < rules->count; i++)
        good = parse_rule(l, &rules->rule[i], &line, &number);
    uselocale(before);
    free(rules);
    char *again = good ? lessons_text(l) : NULL;
    good = again && strcmp(again, text) == 0;
    free(again);
    return good;
}
