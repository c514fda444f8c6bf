/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach bench: times of native calls, engines and the library's choice. */
#include "agenda.h"
#include "process.h"
#include "trials.h"

#include <stdlib.h>

enum { FACTOR = 2 };

struct bench_row {
    const char *collective, *op, *engine, *chosen, *best; /* NULL: none */
    char median_text[TABLE_VALUE];                        /* with the mark of noise */
    const char *median_shown;
    int ranks, hosts, reps;
    int64_t bytes, blocks; /* blocks -1: none */
    double beta, least, median, most, of_beta_m, native_over, spread, regret;
    bool right, noisy;
};

/* New columns come last: scripts count them. */
#define AT(field) offsetof(struct bench_row, field)
static const struct table_column columns[] = {{"collective", NULL, VALUE_TEXT, AT(collective), NULL},
                                              {"op", NULL, VALUE_TEXT, AT(op), NULL},
                                              {"ranks", NULL, VALUE_NUMBER, AT(ranks), NULL},
                                              {"hosts", NULL, VALUE_NUMBER, AT(hosts), NULL},
                                              {"beta_s_per_byte", NULL, VALUE_EXACT, AT(beta), NULL},
                                              {"bytes", NULL, VALUE_COUNT, AT(bytes), NULL},
                                              {NULL, "BYTES", VALUE_SIZE, AT(bytes), NULL},
                                              {"engine", "ENGINE", VALUE_ENGINE, AT(engine), NULL},
                                              {"chosen", "CHOSEN", VALUE_TEXT, AT(chosen), NULL},
                                              {"blocks", "BLOCKS", VALUE_COUNT, AT(blocks), NULL},
                                              {"min_us", "MIN", VALUE_MICROS, AT(least), NULL},
                                              {"median_us", NULL, VALUE_MICROS, AT(median), NULL},
                                              {NULL, "MEDIAN", VALUE_TEXT, AT(median_shown), NULL},
                                              {"max_us", "MAX", VALUE_MICROS, AT(most), NULL},
                                              {"t_over_beta_m", "T/(BETA M)", VALUE_RATIO, AT(of_beta_m), NULL},
                                              {"native_over_engine", "NATIVE/ENGINE", VALUE_RATIO, AT(native_over), NULL},
                                              {"checked", "CHECKED", VALUE_WORD, AT(right), NULL},
                                              {"reps", "REPS", VALUE_NUMBER, AT(reps), NULL},
                                              {"spread", "SPREAD", VALUE_RATIO, AT(spread), NULL},
                                              {"noisy", NULL, VALUE_WORD, AT(noisy), NULL},
                                              {"best", "BEST", VALUE_TEXT, AT(best), NULL},
                                              {"regret", "REGRET", VALUE_RATIO, AT(regret), NULL},
                                              {0}};

struct bench_table {
    int rows, room;
    struct bench_row *row;
    struct {
        int count;    /* calls in which neither choice nor best is noise */
        double *each; /* their regrets */
    } regret[2];      /* 0: by the model alone; 1: after learning */
};

static struct bench_row *new_row(struct bench_table *table)
{
    if (table->rows == table->room) {
        table->room = 2 * table->room + 64;
        table->row = job_memory(table->row, table->room, sizeof *table->row);
        for (int i = 0; i < 2; i++)
            table->regret[i].each = job_memory(table->regret[i].each, table->room, sizeof *table->regret[i].each);
    }
    return &table->row[table->rows++];
}

static void put_row(struct bench_table *table, const struct contest *t, const struct candidate *c, const struct timing *best)
{
    const struct timing *x = &c->timing;
    struct bench_row *r = new_row(table);
    const bool noisy = timing_noisy(x) || c->unlearned;
    const double regret = best->median > 0 ? x->median / best->median : 1;
    char text[UNITS_TEXT];
    *r = (struct bench_row){.collective = collective_name(t->facts.collective),
                            .op = t->facts.op == OP_NONE ? NULL : op_word(t->facts.op),
                            .engine = c->learned  ? "learned"
                                      : c->chosen ? "auto"
                                                  : x->engine->name,
                            .chosen = c->chosen ? x->engine->name : NULL,
                            .best = c->chosen ? best->engine->name : NULL,
                            .ranks = job.comm->ranks,
                            .hosts = job.comm->known.machine.nodes,
                            .reps = x->count,
                            .bytes = t->facts.bytes,
                            .blocks = x->blocks ? x->blocks : -1,
                            .beta = job.beta,
                            .least = x->least,
                            .median = x->median,
                            .most = x->most,
                            .of_beta_m = x->median / (job.beta * (double)t->facts.bytes),
                            .native_over = t->candidate[0].timing.median / x->median,
                            .spread = x->spread,
                            .regret = c->chosen ? regret : -1,
                            .right = x->right,
                            .noisy = noisy};
    snprintf(r->median_text, sizeof r->median_text, "%s%s", time_about(x->median, text), noisy ? "~" : "");
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

/* At once, as the next table may take long; then empties it. */
static void print(struct bench_table *table, const struct agenda_item *item, struct document *out)
{
    char title[TITLE], beta[UNITS_TEXT];
    struct table t;
    if (process.rank == 0 && cli_format == TABLE_TEXT)
        printf("%s, %d ranks on %d host%s, beta = %s/B\n\n", agenda_title(item, ", operation: ", title), job.comm->ranks,
               job.comm->known.machine.nodes, plural(job.comm->known.machine.nodes), time_about(job.beta, beta));
    if (process.rank == 0) {
        table_open(&t, out, agenda_title(item, "_", title), columns);
        for (struct bench_row *r = table->row; r < table->row + table->rows; r++) {
            r->median_shown = r->median_text;
            table_row(&t, r);
        }
        cli_table_end(&t);
    }
    if (process.rank == 0 && cli_format == TABLE_TEXT) {
        putchar('\n');
        print_regret(table, false);
        if (options.learn)
            print_regret(table, true);
        putchar('\n');
    }
    fflush(stdout);
    table->rows = table->regret[0].count = table->regret[1].count = 0;
}

/* Native, the choice, engines of --engine that fit. False: interrupted. */
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
    struct document out;
    bool right = true, measured = true;
    int i = 0;
    trials_freely();
    if (process.rank == 0)
        cli_document(&out);
    agenda_make(&agenda, FACTOR);
    while (i < agenda.count && measured && agenda_open(&agenda, i, &trial)) {
        measured = measure_item(&trial, agenda_share(&agenda, i));
        if (measured)
            right &= put_trial(&table, &trial);
        i += measured;
        contest_close(&trial);
        if (table.rows && (i == agenda.count || !agenda_same_call(&agenda.item[i - 1], &agenda.item[i])))
            print(&table, &agenda.item[i - 1], &out);
    }
    if (table.rows)
        print(&table, &agenda.item[i - 1], &out);
    if (process.rank == 0)
        document_end(&out);
    free(table.row);
    free(table.regret[0].each);
    free(table.regret[1].each);
    if (!right)
        say("an engine delivered a wrong result; the column CHECKED tells which");
    return agenda_end(&agenda, i, right, "sizes");
}
