/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach choose: shows the engine that the library would choose for a call, and compares all engines.
 *
 * As in the library, choose() makes the choice, from the same settings and rules; see query.h.
 */
#include "cli.h"
#include "query.h"
#include "simulate.h"
#include "stages.h"

#include <stdlib.h>

#define MOST_BYTES (INT64_C(1) << 60)

static int64_t bytes = -1, ranks, root, element = 8, nodes, node_ranks = 1;
static int op = OP_ROUNDS - OP_EXACT, mpi = NATIVES_MPICH;
static double figure[3] = {-1, -1, -1}; /* alpha, beta, gamma */
static const char *rules_file, *site, *places;

/* ---- The call ------------------------------------------------------------------------------------------------------- */

/* Sets the number of ranks, if --nodes gives it. */
static void count_ranks(void)
{
    const int64_t all = nodes * node_ranks;
    if (!nodes)
        return;
    if (all > MOST_RANKS)
        cli_fail(STATUS_USAGE, "--nodes %lld: there are at most %d ranks, not %lld", (long long)nodes, MOST_RANKS,
                 (long long)all);
    if (ranks && ranks != all)
        cli_fail(STATUS_USAGE, "--nodes %lld: the nodes have %lld ranks, not the %lld of --ranks", (long long)nodes,
                 (long long)all, (long long)ranks);
    ranks = all;
}

static void read_facts(struct query *q, enum collective c)
{
    bool folds = collective_reduces(c);
    if (bytes < 0)
        cli_fail(STATUS_USAGE, "--bytes is missing");
    count_ranks();
    struct places *tree = cli_places(places, &ranks);
    cli_check_root(c, ranks, root);
    if (folds && bytes % element)
        cli_fail(STATUS_USAGE, "--bytes %lld is no whole number of elements of %lld bytes; see --element", (long long)bytes,
                 (long long)element);
    query_machine(q, (enum natives)mpi, ranks, node_ranks, tree);
    query_call(q, c, folds ? (enum op_class)(OP_EXACT + op) : OP_NONE, ranks, root, bytes, element);
}

static void read_settings(struct query *q)
{
    double *const place[] = {&q->settings.figures.alpha, &q->settings.figures.beta, &q->settings.figures.gamma};
    query_settings(q);
    for (int i = 0; i < 3; i++)
        if (figure[i] >= 0)
            *place[i] = figure[i];
}

/* ---- The answer ----------------------------------------------------------------------------------------------------- */

static void put_figure(const char *name, const char *unit, double option, double value, double setting, double rule)
{
    char text[UNITS_TEXT];
    printf("%s %s%s (%s)", name, time_about(value, text), unit,
           option >= 0    ? "option"
           : setting >= 0 ? "setting"
           : rule >= 0    ? "rule"
                          : "nominal");
}

static void put_stages(const struct query *q)
{
    struct plan_of_stage stage[STAGE_PHASES];
    const char *before = "stages: ";
    char text[UNITS_TEXT];
    choose_stages(&q->settings, q->rule, &q->facts, &q->plan, stage);
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++) {
        if (!stage[phase].engine)
            continue;
        printf("%s%s %s by %s %s", before, phase == STAGE_LANE ? "between nodes" : "on nodes",
               collective_name(lanes_collective(q->facts.collective, phase)), stage[phase].engine->name,
               time_about(stage[phase].seconds, text));
        before = ", ";
    }
    putchar('\n');
}

static void put_answer(const struct query *q)
{
    const struct plan *plan = &q->plan;
    const int64_t threshold = q->settings.threshold[q->facts.collective];
    char text[UNITS_TEXT];
    printf("chosen: %s", plan->engine->name);
    if (plan->blocks)
        printf(" in %lld block%s of %s", (long long)plan->blocks, plural(plan->blocks),
               size_about((double)block_bytes(q, plan->engine, plan->blocks), text));
    const int ports = whole_ports(plan, q->facts.collective), lanes = whole_lanes(plan, q->facts.collective);
    if (ports)
        printf(", %d port%s a node", ports, plural(ports));
    else if (plan->engine->serves[q->facts.collective].composed)
        printf(", %d lane%s", lanes, plural(lanes));
    else if (plan->wide > 1)
        printf(", up to %lld in a message", (long long)plan->wide);
    printf(", reason %s (%s", reason_word(plan->reason), query_because(q));
    if (plan->reason == REASON_BELOW_THRESHOLD)
        printf(", %s", threshold == SIZE_INF ? "inf" : size_about((double)threshold, text));
    printf(")\n");
    if (plan->engine->serves[q->facts.collective].composed)
        put_stages(q);
}

/* Prints the figures and the rule that the table depends on. */
static void put_terms(const struct query *q)
{
    const struct figures g = choose_figures(&q->settings, q->rule, &q->machine, true), *set = &q->settings.figures;
    const struct figures rule = q->rule ? q->rule->figures : rule_blank.figures;
    printf("parameters: ");
    put_figure("alpha", "", figure[0], g.alpha, set->alpha, rule.alpha);
    put_figure(", beta", "/B", figure[1], g.beta, set->beta, rule.beta);
    put_figure(", gamma", "/B", figure[2], g.gamma, set->gamma, rule.gamma);
    if (set->hop >= 0 || rule.hop >= 0)
        put_figure(", hop", "", -1, g.hop, set->hop, rule.hop);
    if (set->gap >= 0 || rule.gap >= 0)
        put_figure(", gap", "", -1, g.gap, set->gap, rule.gap);
    printf("%s\n",
           policy_of(&q->settings, q->rule, &q->facts).wants_figures ? "; a program may measure what is nominal here" : "");
    if (q->rule)
        printf("rule: %s:%d\n", q->file, q->rule->line);
    if (q->sited)
        printf("rules: other rules of %s may hold at some call sites; see --site\n", q->file);
}

/* ---- Offers ---------------------------------------------------------------------------------------------------------- */

/* The list that choose() picks from. */
struct offers {
    struct offer row[OFFERS_MOST]; /* fastest first; seconds are 0 where nothing is predicted */
    int rows;
    double native; /* predicted seconds of the native call */
};

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

static void find_offers(struct offers *o, const struct query *q)
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

static void put_offers(const struct offers *o, const struct query *q)
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

/* ---- The command ----------------------------------------------------------------------------------------------------- */

static int show_choice(char **operand)
{
    static struct query q;
    static struct offers offers;
    const enum collective c = cli_collective(operand[0]);
    read_settings(&q);
    read_facts(&q, c);
    query_rules(&q, rules_file);
    query_rule(&q, site);
    q.plan = choose(&q.settings, q.rule, &q.facts);
    find_offers(&offers, &q);
    if (cli_format == TABLE_TEXT) {
        put_answer(&q);
        if (!query_empty(&q)) {
            put_terms(&q);
            putchar('\n');
        }
    }
    if (cli_format != TABLE_TEXT || !query_empty(&q))
        put_offers(&offers, &q);
    free(q.rules);
    return 0;
}

static const struct command_option options[] = {
    {"bytes", "SIZE", "bytes of the message, such as 1000, 64K or 3M", OPTION_SIZE, 0, MOST_BYTES, &bytes},
    {"ranks", "NUMBER", "number of ranks", OPTION_NUMBER, 1, MOST_RANKS, &ranks},
    {"root", "RANK", "rank of the root; default 0", OPTION_NUMBER, 0, MOST_RANKS - 1, &root},
    {"op", "exact|rounding|user", "the operation: exact in any order, rounding (the default), or user-defined", OPTION_WORD,
     0, 0, &op},
    {"element", "SIZE", "bytes of an element; default 8", OPTION_SIZE, 1, MOST_BYTES, &element},
    {"ranks-per-node", "NUMBER", "consecutive ranks that share a node; default 1", OPTION_NUMBER, 1, MOST_RANKS,
     &node_ranks},
    {"nodes", "NUMBER", "number of nodes of --ranks-per-node ranks each; replaces --ranks", OPTION_NUMBER, 1, MOST_RANKS,
     &nodes},
    {"mpi", "mpich|openmpi", "the MPI library whose native calls the model predicts; default mpich", OPTION_WORD, 0, 0,
     &mpi},
    {"places", "TREE", "which ranks are near each other: 4x8 (4 groups of 8), 50,40,30, or 12-12-12 (sites in a line)",
     OPTION_TEXT, 0, 0, &places},
    {"alpha", "TIME", "time of a step that moves nothing, such as 5us; overrides settings and rules", OPTION_TIME, 0, 0,
     &figure[0]},
    {"beta", "TIME", "time to move a byte, such as 0.8ns; likewise", OPTION_TIME, 0, 0, &figure[1]},
    {"gamma", "TIME", "time to fold a byte; likewise", OPTION_TIME, 0, 0, &figure[2]},
    {"rules", "FILE", "a file of rules; default: PLEACH_RULES", OPTION_TEXT, 0, 0, &rules_file},
    {"site", "TEXT", "the call site as a log shows it, for rules that ask for one", OPTION_TEXT, 0, 0, &site},
    CLI_FORMAT(""),
    CLI_COLOR,
    {0},
};

const struct command command_choose = {
    .name = "choose",
    .usage = "COLLECTIVE --bytes SIZE --ranks NUMBER|--nodes NUMBER|--places TREE [OPTION...]",
    .summary = "show which engine the library would choose for a call, and why",
    .details = "Shows the library's choice, with the settings of the environment and of PLEACH_CONF. TIME is predicted;\n"
               "TIME/(BETA*M) is TIME over the time to move the message once.\n",
    .options = options,
    .least = 1,
    .most = 1,
    .work = show_choice,
};
