/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach bench: native calls, engines and the library's choice, side by side. */
#include "agenda.h"
#include "plot.h"
#include "process.h"

#include <stdlib.h>

enum { FACTOR = 2, COLUMNS = 10, CELL = 48 };

static const char *const heading[COLUMNS] = {"BYTES",     "ENGINE", "CHOSEN",     "BLOCKS",        "MIN US",
                                             "MEDIAN US", "MAX US", "T/(BETA M)", "NATIVE/ENGINE", "CHECKED"};

/* All measurements of one collective and kind of operation. */
struct table {
    int rows, room;
    char (*cell)[COLUMNS][CELL];
};

static void put_row(struct table *table, const struct trial *t, const struct contender *c)
{
    const struct timing *x = &c->timing;
    if (table->rows == table->room)
        table->cell = job_memory(table->cell, table->room = 2 * table->room + 64, sizeof *table->cell);
    char(*cell)[CELL] = table->cell[table->rows++];
    snprintf(cell[0], CELL, "%lld", (long long)t->facts.bytes);
    snprintf(cell[1], CELL, "%s", c->chosen ? "auto" : x->engine->name);
    snprintf(cell[2], CELL, "%s", c->chosen ? x->engine->name : "-");
    snprintf(cell[3], CELL, x->blocks ? "%lld" : "-", (long long)x->blocks);
    snprintf(cell[4], CELL, "%.1f", x->least * 1e6);
    snprintf(cell[5], CELL, "%.1f", x->median * 1e6);
    snprintf(cell[6], CELL, "%.1f", x->most * 1e6);
    snprintf(cell[7], CELL, "%.2f", x->median / (job.beta * (double)t->facts.bytes));
    snprintf(cell[8], CELL, "%.2f", t->contender[0].timing.median / x->median);
    snprintf(cell[9], CELL, "%s", x->right ? "yes" : "no");
}

static void print_table(const struct table *table, const struct item *item)
{
    char title[TITLE];
    const char **all = job_memory(NULL, (table->rows + 1) * COLUMNS, sizeof *all);
    for (int r = 0; r <= table->rows; r++)
        for (int c = 0; c < COLUMNS; c++)
            all[r * COLUMNS + c] = r == 0 ? heading[c] : table->cell[r - 1][c];
    printf("%s, %d ranks on %d host%s, beta = %.3g ns/B\n\n", agenda_title(item, ", operation: ", title), job.comm->ranks,
           job.comm->nodes.machine.nodes, job.comm->nodes.machine.nodes == 1 ? "" : "s", job.beta * 1e9);
    cli_columns(table->rows + 1, COLUMNS, all);
    putchar('\n');
    free(all);
}

static void print_tsv(const struct table *table, const struct item *item)
{
    static bool headed;
    if (!headed)
        printf("collective\top\tranks\thosts\tbeta_s_per_byte\tbytes\tengine\tchosen\tblocks\tmin_us\tmedian_us\tmax_us\t"
               "t_over_beta_m\tnative_over_engine\tchecked\n");
    headed = true;
    for (int r = 0; r < table->rows; r++) {
        printf("%s\t%s\t%d\t%d\t%.6g", collective_name(item->collective), item->op == OP_NONE ? "-" : op_word(item->op),
               job.comm->ranks, job.comm->nodes.machine.nodes, job.beta);
        for (int c = 0; c < COLUMNS; c++)
            printf("\t%s", table->cell[r][c]);
        putchar('\n');
    }
}

/* Everything of one collective and kind of operation is there: it is printed at once, as the next may take long. */
static void print(struct table *table, const struct item *item)
{
    progress_end();
    if (process.rank == 0 && options.format == FORMAT_TSV)
        print_tsv(table, item);
    else if (process.rank == 0)
        print_table(table, item);
    fflush(stdout);
    table->rows = 0;
}

static bool measure_item(struct trial *t, double seconds)
{
    bool right = true;
    trial_add(t, 0, 0);
    trial_add_chosen(t);
    for (int row = 1; engines[row]; row++) {
        const struct shape shape = choose_shape(&t->facts, 1, 0);
        if (options.rows.bits >> row & 1 && engine_fits(engines[row], &shape))
            trial_add(t, row, 0);
    }
    trial_run(t, options.iterations, seconds, false);
    for (int i = 0; i < t->contenders; i++)
        right &= t->contender[i].timing.right;
    return right;
}

int bench(void)
{
    static struct agenda agenda;
    static struct trial trial;
    struct table table = {0};
    bool right = true;
    int i = 0;
    plot_check();
    agenda_make(&agenda, FACTOR);
    for (; i < agenda.count && agenda_open(&agenda, i, &trial); i++) {
        right &= measure_item(&trial, agenda_share(&agenda, i));
        for (int w = 0; w < trial.contenders; w++) {
            put_row(&table, &trial, &trial.contender[w]);
            plot_add(&agenda.item[i], &trial.contender[w]);
        }
        trial_close(&trial);
        if (i + 1 == agenda.count || !agenda_same_call(&agenda.item[i], &agenda.item[i + 1]))
            print(&table, &agenda.item[i]);
    }
    if (table.rows)
        print(&table, &agenda.item[i - 1]);
    free(table.cell);
    progress_end();
    if (i < agenda.count)
        say("the time limit of %lld s left %d of %d sizes unmeasured", (long long)options.seconds, agenda.count - i,
            agenda.count);
    if (!right)
        say("an engine delivered a wrong result");
    return right ? 0 : STATUS_FAILED;
}
