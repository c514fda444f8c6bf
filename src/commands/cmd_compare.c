/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach compare: shows what became faster, and what slower, between two runs of a program. */
#include "cli.h"
#include "compare_runs.h"
#include "found.h"
#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row: calls of both runs, or of one. */
struct compared {
    const char *by, *name, *verdict;
    double change;
    int64_t calls[2];
    double seconds[2], middle[2], least[2];
};

#define AT(field) offsetof(struct compared, field)

static bool differs(const struct pair *p)
{
    return p->verdict == FASTER || p->verdict == SLOWER;
}

/* The number of pairs with this verdict, of one aspect or of all (ASPECTS). */
static int count(const struct pairs *all, enum aspect aspect, enum verdict v)
{
    int n = 0;
    for (const struct pair *p = all->pair; p < all->pair + all->count; p++)
        n += p->verdict == v && (aspect == ASPECTS || p->aspect == aspect);
    return n;
}

/* The columns of text have other names in logs, whose middle is the median. */
static void open_table(struct table *t, struct document *in, enum aspect aspect, bool logs)
{
    static const char *const headings[ASPECTS] = {
        [ASPECT_COLLECTIVE] = "COLLECTIVE", [ASPECT_SIZE] = "COLLECTIVE", [ASPECT_SITE] = "SITE"};
    const struct table_column columns[] = {{"by", NULL, VALUE_TEXT, AT(by), NULL},
                                           {"name", NULL, VALUE_TEXT, AT(name), NULL},
                                           {"b_is", NULL, VALUE_TEXT, AT(verdict), NULL},
                                           {NULL, "TIME A", VALUE_TIME, AT(seconds[0]), NULL},
                                           {NULL, "TIME B", VALUE_TIME, AT(seconds[1]), NULL},
                                           {NULL, logs ? "MEDIAN A" : "MEAN A", VALUE_TIME, AT(middle[0]), NULL},
                                           {NULL, logs ? "MEDIAN B" : "MEAN B", VALUE_TIME, AT(middle[1]), NULL},
                                           {"change", "CHANGE", VALUE_CHANGE, AT(change), NULL},
                                           {NULL, "B IS", VALUE_TEXT, AT(verdict), NULL},
                                           {"calls_a", NULL, VALUE_COUNT, AT(calls[0]), NULL},
                                           {"seconds_a", NULL, VALUE_TIME, AT(seconds[0]), NULL},
                                           {logs ? "median_a_s" : "mean_a_s", NULL, VALUE_TIME, AT(middle[0]), NULL},
                                           {"min_a_s", NULL, VALUE_TIME, AT(least[0]), NULL},
                                           {"calls_b", NULL, VALUE_COUNT, AT(calls[1]), NULL},
                                           {"seconds_b", NULL, VALUE_TIME, AT(seconds[1]), NULL},
                                           {logs ? "median_b_s" : "mean_b_s", NULL, VALUE_TIME, AT(middle[1]), NULL},
                                           {"min_b_s", NULL, VALUE_TIME, AT(least[1]), NULL},
                                           {NULL, headings[aspect], VALUE_TEXT, AT(name), NULL},
                                           {0}};
    static struct table_column kept[sizeof columns / sizeof columns[0]];
    memcpy(kept, columns, sizeof kept);
    table_open(t, in, "calls", kept);
}

static void put_row(struct table *t, const struct pair *p)
{
    const struct sum *const run[] = {p->a, p->b};
    const char *name = (p->a ? p->a : p->b)->name;
    struct compared r = {.by = aspect_names[p->aspect],
                         .name = cli_format == TABLE_TEXT && p->aspect == ASPECT_SITE ? lines_site(name) : name,
                         .verdict = verdict_word(p->verdict),
                         .change = p->a && p->b ? p->change : NAN};
    for (int i = 0; i < 2; i++) {
        r.calls[i] = run[i] ? run[i]->tally.calls : -1;
        r.seconds[i] = run[i] ? run[i]->tally.seconds : -1;
        r.middle[i] = run[i] ? run[i]->middle : -1;
        r.least[i] = run[i] ? run[i]->tally.least : -1;
    }
    table_row(t, &r);
}

/* ---- Text ------------------------------------------------------------------------------------------------------------ */

static void put_table(const struct pairs *all, enum aspect aspect, bool logs, struct document *in)
{
    struct table t;
    if (count(all, aspect, FASTER) + count(all, aspect, SLOWER) == 0)
        return;
    open_table(&t, in, aspect, logs);
    for (const struct pair *p = all->pair; p < all->pair + all->count; p++)
        if (differs(p) && p->aspect == aspect)
            put_row(&t, p);
    putchar('\n');
    cli_table_end(&t);
}

static void put_run(char letter, const struct run *r)
{
    printf("%c  %s: %s of %d rank%s%s%s\n", letter, r->operand, r->log ? "log" : "report", r->ranks, plural(r->ranks),
           *r->command ? ", " : "", r->command);
}

/* Says how long the runs took, and their calls. */
static void put_times(const struct run *a, const struct run *b)
{
    const double run = b->seconds - a->seconds, more = b->calls - a->calls, calls = fabs(more) < 1e-9 ? 0 : more;
    char time[4][UNITS_TEXT], share[UNITS_TEXT];
    if (a->seconds > 0 && b->seconds > 0)
        printf("B took %s, %s %s than A (%s); ", time_about(b->seconds, time[0]), time_about(fabs(run), time[1]),
               run < 0 ? "less" : "more", share_about(fabs(run), a->seconds, share));
    printf("%s of a rank in these calls, %s %s than A\n", time_about(b->calls, time[2]), time_about(fabs(calls), time[3]),
           calls < 0 ? "less" : "more");
}

static void put_own(const struct pairs *all, enum verdict v, char letter)
{
    int n = count(all, ASPECT_SITE, v);
    if (n)
        printf("%d call site%s %c alone\n", n, n == 1 ? " is in" : "s are in", letter);
}

static void put_text(const struct run *a, const struct run *b, const struct pairs *all, struct document *in)
{
    int faster = count(all, ASPECTS, FASTER), slower = count(all, ASPECTS, SLOWER), few = count(all, ASPECTS, FEW);
    lines_find();
    put_run('A', a);
    put_run('B', b);
    put_times(a, b);
    for (int i = 0; i < ASPECTS; i++)
        put_table(all, (enum aspect)i, a->log, in);
    putchar('\n');
    if (!faster && !slower)
        printf("no difference beyond noise\n");
    else
        printf("rows faster in B: %d, slower: %d, without a difference beyond noise: %d; TIME is a sum over all ranks\n",
               faster, slower, count(all, ASPECTS, SAME));
    if (few)
        printf("%d with too few calls to tell\n", few);
    put_own(all, ONLY_A, 'A');
    put_own(all, ONLY_B, 'B');
    if (all->without_offsets)
        printf("call sites were matched without offsets and line numbers: the program was built anew\n");
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static struct run load(char *operand)
{
    const struct job *j = found_job((char *const[]){operand, NULL});
    if (j->all.calls == 0)
        cli_fail(STATUS_FAILED, "%s has no calls to compare; see 'pleach compare --help'", operand);
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    return compare_job(operand, j);
}

static int compare(char **operand)
{
    struct run a = load(operand[0]), b = load(operand[1]);
    struct document out;
    struct table t;
    if (a.log != b.log)
        cli_fail(STATUS_FAILED, "%s is a log, and %s a report: compare two of one kind; see 'pleach compare --help'",
                 a.log ? a.operand : b.operand, a.log ? b.operand : a.operand);
    if (a.ranks != b.ranks)
        say("note: A is of %d rank%s, B of %d", a.ranks, plural(a.ranks), b.ranks);
    struct pairs all = compare_runs(&a, &b);
    cli_document(&out);
    if (cli_format == TABLE_TEXT) {
        put_text(&a, &b, &all, &out);
    } else {
        open_table(&t, &out, 0, a.log);
        for (const struct pair *p = all.pair; p < all.pair + all.count; p++)
            put_row(&t, p);
        cli_table_end(&t);
    }
    document_end(&out);
    free(all.pair);
    return 0;
}

static const struct command_option options[] = {
    CLI_FORMAT("; the others also have calls without a difference"),
    {0},
};

const struct command command_compare = {
    .name = "compare",
    .usage = "A B [OPTION...]",
    .summary = "show what became faster or slower between two runs, beyond noise",
    .details =
        "A and B are two logs, or two reports (html, json or parts), of the same program; a folder stands for what is in\n"
        "it.\n"
        "Prints collectives, sizes and call sites whose calls differ by more than noise.\n",
    .options = options,
    .least = 2,
    .most = 2,
    .work = compare,
};
