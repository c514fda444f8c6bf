/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of `pleach choose`; see offers.h. */
#include "offers.h"

#include "cli.h"
#include "simulate.h"

#include <string.h>

/*
 * Inserts an offer into the sorted list. It goes behind equally fast offers, as choose() prefers the earliest of
 * these. Offers without a predicted time come last.
 */
static void insert(struct offers *o, struct offer offer)
{
    int i = o->rows++;
    for (; i > 0 && offer.seconds > 0 && (o->row[i - 1].seconds == 0 || o->row[i - 1].seconds > offer.seconds); i--)
        o->row[i] = o->row[i - 1];
    o->row[i] = offer;
}

static void add_offer(struct offers *o, const struct query *q, struct offer offer)
{
    if (!offer.engine->serves[q->facts.collective].text.rounds)
        return;
    if (offer.engine->algorithm)
        offer.seconds = 0; /* the model has no time for an algorithm of the MPI library */
    else if (offer.barred) /* choose_list() has not predicted its time, unless trials may choose it */
        choose_predict(&q->settings, q->rule, &q->facts, &offer);
    if (offer.engine == engines[0])
        o->native = offer.seconds;
    insert(o, offer);
}

void offers_find(struct offers *o, const struct query *q)
{
    struct offer list[OFFERS_MOST];
    *o = (struct offers){.rows = 0};
    if (query_empty(q)) {
        insert(o, (struct offer){.engine = engines[0]});
        return;
    }
    choose_list(&q->settings, q->rule, &q->facts, list);
    for (const struct offer *offer = list; offer->engine; offer++)
        add_offer(o, q, *offer);
}

enum { ENGINE, BLOCKS, BLOCK, ROUNDS, TIME, OF_BETA_M, NATIVE, REGRET, LAST, COLUMNS };
enum { CELL = 64 }; /* bytes of a cell; the longest is the name of an algorithm of the MPI library */

/* Writes the cells of a row; a cell without a value is "". With `plain`, there are no units and no mark of the choice. */
static void fill_cells(const struct query *q, const struct offer *r, double native, bool plain, char cell[COLUMNS][CELL])
{
    const struct figures g = choose_figures(&q->settings, q->rule, &q->machine, true);
    const double best = g.beta * (double)q->facts.bytes, seconds = r->seconds;
    memset(cell, 0, sizeof(char[COLUMNS][CELL]));
    snprintf(cell[ENGINE], CELL, "%s%s", plain ? "" : r->engine == q->plan.engine ? "* " : "  ", r->engine->name);
    if (seconds > 0 && r->blocks > 0) {
        struct shape shape = choose_shape(&q->facts, r->blocks);
        shape.wide = r->wide;
        snprintf(cell[BLOCKS], CELL, "%lld", (long long)r->blocks);
        if (!r->engine->serves[q->facts.collective].composed)
            snprintf(cell[ROUNDS], CELL, "%lld", (long long)simulate_bound(r->engine, &shape));
        if (plain)
            snprintf(cell[BLOCK], CELL, "%lld", (long long)block_bytes(q, r->engine, r->blocks));
        else
            size_about((double)block_bytes(q, r->engine, r->blocks), cell[BLOCK]);
    }
    if (seconds > 0) {
        if (plain)
            snprintf(cell[TIME], CELL, "%.9g", seconds);
        else
            time_about(seconds, cell[TIME]);
        if (best > 0)
            snprintf(cell[OF_BETA_M], CELL, plain ? "%.6g" : "%.2f", seconds / best);
        snprintf(cell[NATIVE], CELL, plain ? "%.6g" : "%.2f", native / seconds);
    }
    if (!r->barred && seconds > 0 && policy_keeps_bits(&q->settings, &q->facts))
        snprintf(cell[REGRET], CELL, plain ? "%.6g" : "%.2f", r->cost);
}

void offers_text(const struct offers *o, const struct query *q)
{
    struct columns t;
    FILE *f = cli_table(&t);
    fputs("  ENGINE\tBLOCKS\tBLOCK SIZE\tROUNDS\tTIME\tTIME/(BETA*M)\tNATIVE/TIME\tREGRET\tWHY NOT\n", f);
    for (int i = 0; i < o->rows; i++) {
        char cell[COLUMNS][CELL];
        fill_cells(q, &o->row[i], o->native, false, cell);
        for (int c = 0; c < LAST; c++)
            fprintf(f, "%s\t", cell[c]);
        fprintf(f, "%s\n", o->row[i].barred ? o->row[i].barred : "");
    }
    cli_columns(&t, columns_width(stdout));
}

void offers_tsv(const struct offers *o, const struct query *q)
{
    char text[COLUMNS][CELL];
    printf("engine\tblocks\tblock_bytes\trounds\tseconds\tof_beta_m\tnative_over\tregret\treason\tbarred\n");
    for (int i = 0; i < o->rows; i++) {
        fill_cells(q, &o->row[i], o->native, true, text);
        for (int c = 0; c < LAST; c++)
            printf("%s\t", *text[c] ? text[c] : "-");
        printf("%s\t%s\n", o->row[i].engine == q->plan.engine ? reason_word(q->plan.reason) : "-",
               o->row[i].barred ? o->row[i].barred : "-");
    }
}
