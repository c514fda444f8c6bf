/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of `pleach choose`; see offers.h. */
#include "offers.h"

#include "cli.h"
#include "model.h"
#include "simplex.h"
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

bool nothing_to_do(const struct call *k)
{
    return k->facts.ranks == 1 || k->facts.bytes == 0;
}

/* The offer of an engine that the registry does not list. */
static struct offer simplex_offer(const struct call *k, const struct engine *e)
{
    const struct facts *f = &k->facts;
    const struct shape shape = choose_shape(f, 1, 0);
    struct offer o = {.barred = "never run, only compared"};
    struct terms t = {.figures = choose_figures(&k->settings, k->rule, &k->machine, true),
                      .native = 1,
                      .block = k->settings.block[f->collective],
                      .group = k->settings.fractional_r};
    if (!t.block && k->rule)
        t.block = k->rule->block;
    if (engine_fits(e, &shape))
        o.seconds = cost(e, &t, f, &o.blocks);
    else
        o.barred = e->serves[f->collective].text.needs;
    return o;
}

/* Fastest first; those of which nothing is predicted last. */
static int by_time(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (!x->offer.seconds != !y->offer.seconds)
        return x->offer.seconds ? -1 : 1;
    if (x->offer.seconds != y->offer.seconds)
        return x->offer.seconds < y->offer.seconds ? -1 : 1;
    return x->place - y->place;
}

static void add(struct offers *o, const struct engine *e, struct offer offer, int place)
{
    if (o->rows < MOST_ROWS)
        o->row[o->rows++] = (struct row){e, offer, place};
}

void offers_find(struct offers *o, const struct call *k, bool simplex)
{
    const enum collective c = k->facts.collective;
    int variants = 0;
    *o = (struct offers){.rows = 0};
    if (nothing_to_do(k)) {
        add(o, engines[0], (struct offer){.seconds = 0}, 0);
        return;
    }
    for (int i = 0; engines[i]; i++) {
        const struct engine *variant = simplex ? simplex_engine(engines[i]) : NULL;
        if (engines[i]->serves[c].text.rounds)
            add(o, engines[i], choose_offer(&k->settings, k->rule, &k->facts, i), i);
        if (variant && variant->serves[c].text.rounds) {
            add(o, variant, simplex_offer(k, variant), i);
            variants++;
        }
    }
    if (simplex && !variants)
        cli_fail(STATUS_USAGE, "--simplex: no engine has a simplex variant of %s", collective_name(c));
    o->native = choose_offer(&k->settings, k->rule, &k->facts, 0).seconds;
    qsort(o->row, (size_t)o->rows, sizeof o->row[0], by_time);
}

int64_t block_bytes(const struct call *k, const struct engine *e, int64_t blocks)
{
    const struct cut cut = {k->facts.units, blocks, e->trees};
    return cut_largest(&cut) * (k->facts.bytes / k->facts.units);
}

enum { ENGINE, BLOCKS, BLOCK, ROUNDS, TIME, OF_BETA_M, NATIVE, LAST, COLUMNS };

/* The cells of a row, "" where there is nothing to say; `plain`: numbers without units. */
static void fill_cells(const struct call *k, const struct row *r, double native, bool plain, char cell[COLUMNS][UNITS_TEXT])
{
    const struct figures g = choose_figures(&k->settings, k->rule, &k->machine, true);
    const double best = g.beta * (double)k->facts.bytes, seconds = r->offer.seconds;
    memset(cell, 0, sizeof(char[COLUMNS][UNITS_TEXT]));
    snprintf(cell[ENGINE], UNITS_TEXT, "%s%s", plain ? "" : r->engine == k->plan.engine ? "* " : "  ", r->engine->name);
    if (seconds > 0 && r->offer.blocks > 0) {
        const struct shape shape = choose_shape(&k->facts, r->offer.blocks, k->settings.fractional_r);
        snprintf(cell[BLOCKS], UNITS_TEXT, "%lld", (long long)r->offer.blocks);
        snprintf(cell[ROUNDS], UNITS_TEXT, "%lld", (long long)simulate_bound(r->engine, &shape));
        if (plain)
            snprintf(cell[BLOCK], UNITS_TEXT, "%lld", (long long)block_bytes(k, r->engine, r->offer.blocks));
        else
            size_about((double)block_bytes(k, r->engine, r->offer.blocks), cell[BLOCK]);
    }
    if (seconds > 0) {
        if (plain)
            snprintf(cell[TIME], UNITS_TEXT, "%.9g", seconds);
        else
            time_about(seconds, cell[TIME]);
        if (best > 0)
            snprintf(cell[OF_BETA_M], UNITS_TEXT, plain ? "%.6g" : "%.2f", seconds / best);
        snprintf(cell[NATIVE], UNITS_TEXT, plain ? "%.6g" : "%.2f", native / seconds);
    }
}

void offers_text(const struct offers *o, const struct call *k)
{
    char text[MOST_ROWS][COLUMNS][UNITS_TEXT];
    const char *cell[1 + MOST_ROWS][COLUMNS] = {
        {"  ENGINE", "BLOCKS", "BLOCK SIZE", "ROUNDS", "TIME", "TIME/(BETA*M)", "NATIVE/TIME", "WHY NOT"}};
    for (int i = 0; i < o->rows; i++) {
        fill_cells(k, &o->row[i], o->native, false, text[i]);
        for (int c = 0; c < LAST; c++)
            cell[1 + i][c] = text[i][c];
        cell[1 + i][LAST] = o->row[i].offer.barred;
    }
    cli_columns(o->rows + 1, COLUMNS, cell[0]);
}

void offers_tsv(const struct offers *o, const struct call *k)
{
    char text[COLUMNS][UNITS_TEXT];
    printf("engine\tblocks\tblock_bytes\trounds\tseconds\tof_beta_m\tnative_over\treason\tbarred\n");
    for (int i = 0; i < o->rows; i++) {
        fill_cells(k, &o->row[i], o->native, true, text);
        for (int c = 0; c < LAST; c++)
            printf("%s\t", *text[c] ? text[c] : "-");
        printf("%s\t%s\n", o->row[i].engine == k->plan.engine ? reason_word(k->plan.reason) : "-",
               o->row[i].offer.barred ? o->row[i].offer.barred : "-");
    }
}
