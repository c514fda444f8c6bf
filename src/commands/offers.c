/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of `pleach choose`; see offers.h. */
#include "offers.h"

#include "cli.h"
#include "simulate.h"

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
    const enum algorithm a = offer.engine->algorithm;
    if (!offer.engine->serves[q->facts.collective].text.rounds ||
        (a && !algorithms_have(&q->machine.algorithms, q->facts.collective, a)))
        return;
    if (a)
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

struct offered {
    const char *engine, *marked, *reason, *barred;
    int64_t blocks, rounds;
    double block_bytes, seconds, of_beta_m, native_over, regret; /* < 0: unknown */
};

#define AT(field) offsetof(struct offered, field)
static const struct table_column columns[] = {{"engine", NULL, VALUE_ENGINE, AT(engine), NULL},
                                              {NULL, "  ENGINE", VALUE_TEXT, AT(marked), NULL},
                                              {"blocks", "BLOCKS", VALUE_COUNT, AT(blocks), NULL},
                                              {"block_bytes", "BLOCK SIZE", VALUE_BYTES, AT(block_bytes), NULL},
                                              {"rounds", "ROUNDS", VALUE_COUNT, AT(rounds), NULL},
                                              {"seconds", "TIME", VALUE_TIME, AT(seconds), NULL},
                                              {"of_beta_m", "TIME/(BETA*M)", VALUE_RATIO, AT(of_beta_m), NULL},
                                              {"native_over", "NATIVE/TIME", VALUE_RATIO, AT(native_over), NULL},
                                              {"regret", "REGRET", VALUE_RATIO, AT(regret), NULL},
                                              {"reason", NULL, VALUE_TEXT, AT(reason), NULL},
                                              {"barred", "WHY NOT", VALUE_TEXT, AT(barred), NULL},
                                              {0}};

static void put_offer(struct table *t, const struct query *q, const struct offer *o, double native)
{
    const struct figures g = choose_figures(&q->settings, q->rule, &q->machine, true);
    const double best = g.beta * (double)q->facts.bytes;
    const bool chosen = o->engine == q->plan.engine, timed = o->seconds > 0, cut = timed && o->blocks > 0;
    const bool composed = o->engine->serves[q->facts.collective].composed;
    char marked[64];
    struct shape shape = choose_shape(&q->facts, cut ? o->blocks : 1);
    shape.wide = o->wide;
    snprintf(marked, sizeof marked, "%s%s", chosen ? "* " : "  ", o->engine->name);
    table_row(t,
              &(struct offered){.engine = o->engine->name,
                                .marked = marked,
                                .reason = chosen ? reason_word(q->plan.reason) : NULL,
                                .barred = o->barred,
                                .blocks = cut ? o->blocks : -1,
                                .rounds = cut && !composed ? simulate_bound(o->engine, &shape) : -1,
                                .block_bytes = cut ? (double)block_bytes(q, o->engine, o->blocks) : -1,
                                .seconds = timed ? o->seconds : -1,
                                .of_beta_m = timed && best > 0 ? o->seconds / best : -1,
                                .native_over = timed ? native / o->seconds : -1,
                                .regret = !o->barred && timed && policy_keeps_bits(&q->settings, &q->facts) ? o->cost : -1});
}

void offers_put(const struct offers *o, const struct query *q)
{
    struct document out;
    struct table t;
    cli_document(&out);
    table_open(&t, &out, "offers", columns);
    for (int i = 0; i < o->rows; i++)
        put_offer(&t, q, &o->row[i], o->native);
    cli_table_end(&t);
    document_end(&out);
}
