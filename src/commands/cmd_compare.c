/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach compare: shows what became faster, and what slower, between two runs of a program. */
#include "cli.h"
#include "compare_runs.h"
#include "lines.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_TSV };

static int format = FORMAT_TEXT;

static const char *const headings[ASPECTS] = {
    [ASPECT_COLLECTIVE] = "COLLECTIVE", [ASPECT_SIZE] = "COLLECTIVE", [ASPECT_SITE] = "SITE"};

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

/* ---- Text ----------------------------------------------------------------------------------------------------------- */

static void put_change(FILE *f, double change)
{
    double percent = 100 * change;
    if (percent < 999.5)
        fprintf(f, "%+.0f%%\t", percent);
    else
        fprintf(f, "x%.4g\t", 1 + change);
}

static void put_table(const struct pairs *all, enum aspect aspect, bool logs)
{
    if (count(all, aspect, FASTER) + count(all, aspect, SLOWER) == 0)
        return;
    struct columns t;
    FILE *f = cli_table(&t);
    fprintf(f, "TIME A\tTIME B\t%s\tCHANGE\tB IS\t%s\n", logs ? "MEDIAN A\tMEDIAN B" : "MEAN A\tMEAN B", headings[aspect]);
    for (const struct pair *p = all->pair; p < all->pair + all->count; p++)
        if (differs(p) && p->aspect == aspect) {
            columns_time(f, p->a->tally.seconds);
            columns_time(f, p->b->tally.seconds);
            columns_time(f, p->a->middle);
            columns_time(f, p->b->middle);
            put_change(f, p->change);
            fprintf(f, "%s\t%s\n", verdict_word(p->verdict), aspect == ASPECT_SITE ? lines_site(p->a->name) : p->a->name);
        }
    putchar('\n');
    cli_columns(&t, columns_width(stdout));
}

static void put_run(char letter, const struct run *r)
{
    printf("%c  %s: %s of %d rank%s%s%s\n", letter, r->operand, r->log ? "log" : "report", r->ranks, plural(r->ranks),
           *r->command ? ", " : "", r->command);
}

static void put_own(const struct pairs *all, enum verdict v, char letter)
{
    int n = count(all, ASPECT_SITE, v);
    if (n)
        printf("%d call site%s %c alone\n", n, n == 1 ? " is in" : "s are in", letter);
}

static void put_text(const struct run *a, const struct run *b, const struct pairs *all)
{
    int faster = count(all, ASPECTS, FASTER), slower = count(all, ASPECTS, SLOWER), few = count(all, ASPECTS, FEW);
    lines_find();
    put_run('A', a);
    put_run('B', b);
    for (int i = 0; i < ASPECTS; i++)
        put_table(all, (enum aspect)i, a->log);
    putchar('\n');
    if (!faster && !slower)
        printf("no difference beyond noise\n");
    else
        printf("%d faster in B, %d slower; %d without a difference beyond noise\n", faster, slower,
               count(all, ASPECTS, SAME));
    if (few)
        printf("%d with too few calls to tell\n", few);
    put_own(all, ONLY_A, 'A');
    put_own(all, ONLY_B, 'B');
    if (all->without_offsets)
        printf("call sites were matched without offsets and line numbers: the program was built anew\n");
}

/* ---- TSV ------------------------------------------------------------------------------------------------------------ */

static void put_numbers(const struct sum *i)
{
    if (i)
        printf("\t%lld\t%.9f\t%.9f\t%.9f", (long long)i->tally.calls, i->tally.seconds, i->middle, i->tally.least);
    else
        printf("\t-\t-\t-\t-");
}

static void put_tsv(const struct run *a, const struct pairs *all)
{
    const char *middle = a->log ? "median" : "mean";
    printf("by\tname\tb_is\tchange\tcalls_a\tseconds_a\t%s_a_s\tmin_a_s\tcalls_b\tseconds_b\t%s_b_s\tmin_b_s\n", middle,
           middle);
    for (const struct pair *p = all->pair; p < all->pair + all->count; p++) {
        printf("%s\t%s\t%s", aspect_names[p->aspect], (p->a ? p->a : p->b)->name, verdict_word(p->verdict));
        printf(p->a && p->b ? "\t%.4f" : "\t-", p->change);
        put_numbers(p->a);
        put_numbers(p->b);
        putchar('\n');
    }
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static int compare(char **operand)
{
    struct run a, b;
    compare_load(&a, operand[0]);
    compare_load(&b, operand[1]);
    if (a.log != b.log)
        cli_fail(STATUS_FAILED, "%s is a log, and %s a report: compare two of one kind", a.log ? a.operand : b.operand,
                 a.log ? b.operand : a.operand);
    if (a.ranks != b.ranks)
        say("note: A is of %d rank%s, B of %d", a.ranks, plural(a.ranks), b.ranks);
    struct pairs all = compare_runs(&a, &b);
    if (format == FORMAT_TSV)
        put_tsv(&a, &all);
    else
        put_text(&a, &b, &all);
    free(all.pair);
    return 0;
}

static const struct command_option options[] = {
    {"format", "text|tsv", "default text; tsv also has calls without a difference", OPTION_WORD, 0, 0, &format},
    {0},
};

const struct command command_compare = {
    .name = "compare",
    .usage = "A B [OPTION...]",
    .summary = "show what became faster or slower between two runs, beyond noise",
    .details =
        "A and B are two logs, or two reports as TSV or parts, of the same program; a folder stands for what is in it.\n"
        "Prints collectives, sizes and call sites whose calls differ by more than noise.\n",
    .options = options,
    .least = 2,
    .most = 2,
    .work = compare,
};
