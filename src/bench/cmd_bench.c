/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach bench: compares the times of native calls, of engines and of the library's choice. */
#include "agenda.h"
#include "busy.h"
#include "process.h"
#include "trials.h"

#include <stdlib.h>

enum { FACTOR = 2, CELL = 48 };

/* The columns. A table marks noise beside the median. A new column comes last, as scripts find columns by their numbers. */
enum { BYTES, ENGINE, CHOSEN, BLOCKS, MIN, MEDIAN, MAX, T, RATIO, CHECKED, REPS, SPREAD, NOISY, BEST, REGRET, COLUMNS };

static const struct {
    const char *table, *tsv;
} heading[COLUMNS] = {
    [BYTES] = {"BYTES", "bytes"},
    [ENGINE] = {"ENGINE", "engine"},
    [CHOSEN] = {"CHOSEN", "chosen"},
    [BLOCKS] = {"BLOCKS", "blocks"},
    [MIN] = {"MIN", "min_us"},
    [MEDIAN] = {"MEDIAN", "median_us"},
    [MAX] = {"MAX", "max_us"},
    [T] = {"T/(BETA M)", "t_over_beta_m"},
    [RATIO] = {"NATIVE/ENGINE", "native_over_engine"},
    [CHECKED] = {"CHECKED", "checked"},
    [REPS] = {"REPS", "reps"},
    [SPREAD] = {"SPREAD", "spread"},
    [NOISY] = {NULL, "noisy"},
    [BEST] = {"BEST", "best"},
    [REGRET] = {"REGRET", "regret"},
};

/* All measurements of one collective and operation class. */
struct bench_table {
    int rows, room;
    char (*cell)[COLUMNS][CELL];
    struct {
        int count;    /* number of calls in which neither the time of the library's choice nor the best is noise */
        double *each; /* their regrets; room for `room` of them */
    } regret[2];      /* 0: of the choice by the model alone; 1: after learning */
};

static char (*new_row(struct bench_table *table))[CELL]
{
    if (table->rows == table->room) {
        table->room = 2 * table->room + 64;
        table->cell = job_memory(table->cell, table->room, sizeof *table->cell);
        for (int i = 0; i < 2; i++)
            table->regret[i].each = job_memory(table->regret[i].each, table->room, sizeof *table->regret[i].each);
    }
    return table->cell[table->rows++];
}

/* Writes a time to the cell: for TSV in microseconds, else with its unit and the mark. */
static void put_time(char cell[CELL], double seconds, const char *mark)
{
    char text[UNITS_TEXT];
    if (options.format == FORMAT_TABLE)
        snprintf(cell, CELL, "%s%s", time_about(seconds, text), mark);
    else
        snprintf(cell, CELL, "%.1f", seconds * 1e6);
}

static void put_row(struct bench_table *table, const struct contest *t, const struct candidate *c, const struct timing *best)
{
    const struct timing *x = &c->timing;
    char(*cell)[CELL] = new_row(table);
    bool noisy = timing_noisy(x) || c->unlearned;
    double regret = best->median > 0 ? x->median / best->median : 1;
    if (options.format == FORMAT_TABLE)
        size_about((double)t->facts.bytes, cell[BYTES]);
    else
        snprintf(cell[BYTES], CELL, "%lld", (long long)t->facts.bytes);
    snprintf(cell[ENGINE], CELL, "%s", c->learned ? "learned" : c->chosen ? "auto" : x->engine->name);
    snprintf(cell[CHOSEN], CELL, "%s", c->chosen ? x->engine->name : "-");
    snprintf(cell[BLOCKS], CELL, x->blocks ? "%lld" : "-", (long long)x->blocks);
    put_time(cell[MIN], x->least, "");
    put_time(cell[MEDIAN], x->median, noisy ? "~" : "");
    put_time(cell[MAX], x->most, "");
    snprintf(cell[T], CELL, "%.2f", x->median / (job.beta * (double)t->facts.bytes));
    snprintf(cell[RATIO], CELL, "%.2f", t->candidate[0].timing.median / x->median);
    snprintf(cell[CHECKED], CELL, "%s", x->right ? "yes" : "no");
    snprintf(cell[REPS], CELL, "%d", x->count);
    snprintf(cell[SPREAD], CELL, "%.2f", x->spread);
    snprintf(cell[NOISY], CELL, "%s", noisy ? "yes" : "no");
    snprintf(cell[BEST], CELL, "%s", c->chosen ? best->engine->name : "-");
    snprintf(cell[REGRET], CELL, c->chosen ? "%.2f" : "-", regret);
    if (c->chosen && !noisy && !timing_noisy(best))
        table->regret[c->learned].each[table->regret[c->learned].count++] = regret;
}

static void print_regret(const struct bench_table *table, bool learned)
{
    const struct regret regret = regret_of(table->regret[learned].each, table->regret[learned].count);
    if (regret.count)
        printf("%s over the best: median %.2f, largest %.2f\n", learned ? "learned" : "auto", regret.median, regret.most);
    else
        printf("%s over the best: nothing but noise\n", learned ? "learned" : "auto");
}

static void print_table(const struct bench_table *table, const struct agenda_item *item)
{
    char title[TITLE], beta[UNITS_TEXT];
    struct columns t;
    FILE *f = cli_table(&t);
    for (int r = 0; r <= table->rows; r++) {
        const char *separator = "";
        for (int c = 0; c < COLUMNS; c++)
            if (heading[c].table) {
                fprintf(f, "%s%s", separator, r == 0 ? heading[c].table : table->cell[r - 1][c]);
                separator = "\t";
            }
        putc('\n', f);
    }
    printf("%s, %d ranks on %d host%s, beta = %s/B\n\n", agenda_title(item, ", operation: ", title), job.comm->ranks,
           job.comm->known.machine.nodes, plural(job.comm->known.machine.nodes), time_about(job.beta, beta));
    cli_columns(&t, columns_width(stdout));
    putchar('\n');
    print_regret(table, false);
    if (options.learn)
        print_regret(table, true);
    putchar('\n');
}

static void print_tsv(const struct bench_table *table, const struct agenda_item *item)
{
    static bool headed;
    if (!headed) {
        printf("collective\top\tranks\thosts\tbeta_s_per_byte");
        for (int c = 0; c < COLUMNS; c++)
            printf("\t%s", heading[c].tsv);
        putchar('\n');
    }
    headed = true;
    for (int r = 0; r < table->rows; r++) {
        printf("%s\t%s\t%d\t%d\t%.6g", collective_name(item->collective), item->op == OP_NONE ? "-" : op_word(item->op),
               job.comm->ranks, job.comm->known.machine.nodes, job.beta);
        for (int c = 0; c < COLUMNS; c++)
            printf("\t%s", table->cell[r][c]);
        putchar('\n');
    }
}

/*
 * Prints and empties the table of one collective and operation class. Sends the output at once, as the next table may take
 * long.
 */
static void print(struct bench_table *table, const struct agenda_item *item)
{
    if (process.rank == 0 && options.format == FORMAT_TSV)
        print_tsv(table, item);
    else if (process.rank == 0)
        print_table(table, item);
    fflush(stdout);
    table->rows = table->regret[0].count = table->regret[1].count = 0;
}

/* Measures native, the library's choice, and the engines of --engine that fit. Returns false if the job was interrupted. */
static bool measure_item(struct contest *t, double seconds)
{
    contest_add(t, 0);
    contest_add_chosen(t, false);
    if (options.learn)
        contest_add_chosen(t, true);
    for (int row = 1; engines[row]; row++)
        if (options.rows.bits >> row & 1 && policy_fits(engines[row], &t->facts))
            contest_add(t, row);
    return contest_run(t, options.iterations, seconds);
}

/* Adds all candidates to the table. Returns false if a result was wrong. */
static bool put_trial(struct bench_table *table, const struct contest *t)
{
    struct timing timing[CONTEST_MOST];
    const struct timing *best = timing_best(timing, contest_timings(t, timing));
    bool right = true;
    for (int i = 0; i < t->candidates; i++) {
        put_row(table, t, &t->candidate[i], best);
        right &= t->candidate[i].timing.right;
    }
    return right;
}

int bench(void)
{
    static struct agenda agenda;
    static struct contest trial;
    struct bench_table table = {0};
    bool right = true, measured = true;
    int i = 0;
    trials_freely();
    agenda_make(&agenda, FACTOR);
    while (i < agenda.count && measured && agenda_open(&agenda, i, &trial)) {
        measured = measure_item(&trial, agenda_share(&agenda, i));
        if (measured)
            right &= put_trial(&table, &trial);
        i += measured;
        contest_close(&trial);
        if (table.rows && (i == agenda.count || !agenda_same_call(&agenda.item[i - 1], &agenda.item[i])))
            print(&table, &agenda.item[i - 1]);
    }
    if (table.rows)
        print(&table, &agenda.item[i - 1]);
    free(table.cell);
    free(table.regret[0].each);
    free(table.regret[1].each);
    busy_since();
    if (!right)
        say("an engine delivered a wrong result; the column CHECKED tells which");
    return agenda_end(&agenda, i, right, "sizes");
}
