/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach rules: prints a file of rules that says what the library would choose for a job. A line is for a range of sizes.
 *
 * The command asks choose() at FINE sizes for each power of two. Between two sizes with different answers, it finds the
 * boundary by halving, so it may miss a range that begins and ends between two neighbouring sizes. Calls for which all
 * answers are alike share their lines: first those that differ in the root alone, then those that differ in the operation,
 * then those that differ in the collective.
 */
#include "cli.h"
#include "figurefile.h"
#include "query.h"
#include "rules.h"
#include "textfile.h"

#include <stdlib.h>
#include <string.h>

enum { FINE = 16, RANGES = 100, OPS = 3, ROOTS = 3, ALL_CALLS = COLLECTIVES * OPS * ROOTS, ELEMENT = 8, DEFAULT_RANKS = 16 };

/* The conditions of a rule on calls, without the condition on the size. */
enum { BY_COLLECTIVE, BY_OP, BY_ROOT, CONDITIONS };
#define LARGEST (INT64_C(1) << 32)

static int64_t ranks, node_ranks;
static int mpi = -1;
static const char *places, *figures_file;

/* Sizes for which the choice is the same. */
struct size_range {
    int64_t least; /* bytes; the range ends where the next one begins */
    const struct engine *engine;
    enum reason reason;
    bool bits; /* nothing measured may decide about the calls */
};

/* Calls for which the choices are the same. */
struct sized_calls {
    unsigned when[CONDITIONS]; /* the bits of struct rule; 0: not in use, or another entry has these calls */
    int count;
    struct size_range range[RANGES];
};

/* ---- Choices ---------------------------------------------------------------------------------------------------------- */

static bool same_choice(const struct size_range *a, const struct size_range *b)
{
    return a->engine == b->engine && a->reason == b->reason && a->bits == b->bits;
}

static struct size_range choice_at(struct query *q, int64_t bytes)
{
    const struct facts *f = &q->facts;
    query_call(q, f->collective, f->op, f->ranks, f->root, bytes, ELEMENT);
    q->plan = choose(&q->settings, NULL, &q->facts);
    return (struct size_range){bytes, q->plan.engine, q->plan.reason, policy_keeps_bits(&q->settings, &q->facts)};
}

/* Adds the ranges that begin after `low`, up to `high`. */
static void add_between(struct sized_calls *p, struct query *q, const struct size_range *low, const struct size_range *high,
                        int64_t unit)
{
    if (same_choice(low, high))
        return;
    if (high->least - low->least == unit) {
        if (p->count == RANGES)
            cli_fail(STATUS_FAILED, "the choice changes at more than %d sizes", RANGES);
        p->range[p->count++] = *high;
        return;
    }
    const struct size_range middle = choice_at(q, low->least + (high->least - low->least) / unit / 2 * unit);
    add_between(p, q, low, &middle, unit);
    add_between(p, q, &middle, high, unit);
}

/* Finds the ranges for the calls of a collective with an operation of this class and a root at this place. */
static void find_ranges(struct sized_calls *p, struct query *q, enum collective c, enum op_class op, enum root_place root)
{
    const int rank[ROOTS] = {[ROOT_FIRST] = 0, [ROOT_LAST] = (int)ranks - 1, [ROOT_INSIDE] = (int)ranks / 2};
    const int64_t unit = collective_reduces(c) ? ELEMENT : 1;
    *p = (struct sized_calls){.when = {[BY_COLLECTIVE] = 1u << c, [BY_OP] = 1u << op, [BY_ROOT] = 1u << root}};
    query_call(q, c, op, ranks, rank[root], unit, ELEMENT);
    struct size_range last = p->range[p->count++] = choice_at(q, unit);
    for (int64_t power = unit; power < LARGEST; power *= 2)
        for (int part_of = 1; part_of <= FINE; part_of++) {
            const int64_t bytes = power + power * part_of / FINE / unit * unit;
            if (bytes > last.least) {
                const struct size_range next = choice_at(q, bytes);
                add_between(p, q, &last, &next, unit);
                last = next;
            }
        }
    p->range[0].least = p->range[0].engine == engines[0] ? 0 : 1; /* see rule_from(): an engine needs a least size */
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------ */

static bool same_choices(const struct sized_calls *a, const struct sized_calls *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->range[i].least == b->range[i].least && same_choice(&a->range[i], &b->range[i]);
    return same;
}

static void join(struct sized_calls *calls, int condition)
{
    for (int i = 0; i < ALL_CALLS; i++)
        for (int j = i + 1; j < ALL_CALLS; j++) {
            bool alike = calls[j].when[condition] && same_choices(&calls[i], &calls[j]);
            for (int k = 0; k < CONDITIONS; k++)
                alike &= k == condition || calls[i].when[k] == calls[j].when[k];
            if (alike) {
                calls[i].when[condition] |= calls[j].when[condition];
                memset(calls[j].when, 0, sizeof calls[j].when);
            }
        }
}

static void find_all(struct sized_calls *calls, struct query *q)
{
    for (int c = 0; c < COLLECTIVES; c++)
        for (int op = 0; op < OPS; op++)
            for (int root = 0; root < ROOTS; root++, calls++) {
                const bool folds = collective_reduces(c);
                if ((folds || op == 0) && (collective_rooted(c) || root == 0))
                    find_ranges(calls, q, c, folds ? (enum op_class)(OP_EXACT + op) : OP_NONE, (enum root_place)root);
            }
}

/* ---- Output ----------------------------------------------------------------------------------------------------------- */

/* Prints a range as a rule, or as a comment if no rule applies to its calls. `on_node`: most ranks on a node. */
static void put_range(const struct sized_calls *p, const struct size_range *x, int64_t most, int on_node)
{
    struct rule rule = rule_blank;
    struct text t;
    const unsigned *when = p->when, folds = 1u << OP_EXACT | 1u << OP_ROUNDS | 1u << OP_ORDERED;
    const bool rooted = when[BY_COLLECTIVE] & (1u << COLL_BCAST | 1u << COLL_REDUCE);
    const bool applies = x->reason == REASON_MODEL || x->reason == REASON_NATIVE_FASTER || x->reason == REASON_FORCED;
    rule.collectives = when[BY_COLLECTIVE];
    rule.ops = when[BY_OP] & ~folds || when[BY_OP] == folds ? rule_blank.ops : when[BY_OP];
    rule.roots = rooted ? when[BY_ROOT] : rule_blank.roots;
    rule.bytes = (struct span){x->least, most};
    rule.ranks = (struct span){ranks, ranks};
    rule.node_ranks = (struct span){on_node, on_node};
    rule.engine = (struct engine_setting){.rows = (uint64_t)1 << engine_row(x->engine), .named = true};
    rule_put(text_begin(&t), &rule);
    char *text = text_end(&t);
    text[strcspn(text, "\n")] = 0;
    printf("%s%s # %s%s\n", applies ? "" : "# ", text, reason_word(x->reason),
           applies && x->bits ? ", whatever was measured" : "");
    free(text);
}

/* Sets the machine of the job that the options and the file of figures describe. */
static void read_job(struct query *q, struct places *tree)
{
    struct machine file = {.nodes = 0};
    int measured_ranks = 0;
    if (figures_file) {
        char why[256], *text = textfile_read(figures_file, why, sizeof why);
        if (!text)
            cli_fail(STATUS_FAILED, "%s cannot be read: %s", figures_file, why);
        const char *lacks = figurefile_read(text, &file, &measured_ranks);
        if (lacks)
            cli_fail(STATUS_FAILED, "%s is no output of 'pleach figures': %s", figures_file, lacks);
        free(text);
        q->machine = file;
    }
    const bool same_job = figures_file && (!ranks || ranks == measured_ranks) && !node_ranks && !tree;
    ranks = ranks ? ranks : figures_file ? measured_ranks : DEFAULT_RANKS;
    node_ranks = node_ranks ? node_ranks : figures_file ? file.node_ranks : 1;
    if (ranks == 1)
        cli_fail(STATUS_USAGE, "one rank alone has nothing to choose");
    query_machine(q, mpi >= 0 ? (enum natives)mpi : file.natives, ranks, node_ranks, tree);
    if (same_job) { /* the nodes of the measured job may differ in their numbers of ranks */
        q->machine.consecutive = q->machine.nodes == file.nodes;
        q->machine.nodes = file.nodes;
    } else if (figures_file && ((q->machine.nodes > 1 && file.nodes == 1) || (node_ranks > 1 && file.node_ranks == 1))) {
        cli_fail(STATUS_USAGE, "%s has no figures %s, which the options need", figures_file,
                 file.nodes == 1 ? "between nodes" : "within a node");
    }
}

static int print_rules(char **operand)
{
    static struct query q;
    static struct sized_calls calls[ALL_CALLS];
    (void)operand;
    query_settings(&q);
    const struct figures *set = &q.settings.figures;
    for (int c = 0; c < COLLECTIVES; c++)
        if (q.settings.engine[c].random)
            cli_fail(STATUS_FAILED, "settings let engines be drawn at random, so there are no rules");
    read_job(&q, cli_places(places, &ranks));
    find_all(calls, &q);
    for (int condition = CONDITIONS - 1; condition >= 0; condition--)
        join(calls, condition);

    printf(
        "pleach-rules %d\n# What Pleach chooses for %lld ranks, %d on a node, by %s figures, before it learns from calls.\n",
        RULES_VERSION, (long long)ranks, q.machine.node_ranks,
        set->alpha >= 0 || set->beta >= 0 || set->gamma >= 0 ? "given"
        : q.machine.measured                                 ? "measured"
                                                             : "nominal");
    for (const struct sized_calls *p = calls; p < calls + ALL_CALLS; p++)
        for (int i = 0; i < p->count && p->when[BY_COLLECTIVE]; i++)
            put_range(p, &p->range[i], i + 1 < p->count ? p->range[i + 1].least - 1 : INT64_MAX, q.machine.node_ranks);
    return 0;
}

static const struct command_option options[] = {
    {"ranks", "P", "number of ranks; default: that of --figures or --places, else 16", OPTION_NUMBER, 1, MOST_RANKS, &ranks},
    {"ranks-per-node", "K", "consecutive ranks that share a node; default: that of --figures, else 1", OPTION_NUMBER, 1,
     MOST_RANKS, &node_ranks},
    {"places", "TREE", "which ranks are near each other, as for 'pleach choose'", OPTION_TEXT, 0, 0, &places},
    {"mpi", "mpich|openmpi", "the MPI library; default: that of --figures, else mpich", OPTION_WORD, 0, 0, &mpi},
    {"figures", "FILE", "what 'pleach figures' has printed; default: nominal figures", OPTION_TEXT, 0, 0, &figures_file},
    {0},
};

const struct command command_rules = {
    .name = "rules",
    .usage = "[OPTION...]",
    .summary = "show all that the library would choose for a job, as a file of rules",
    .details =
        "Prints a rule for each range of sizes, for elements of 8 bytes, with the settings of the environment and of\n"
        "PLEACH_CONF. With this file as PLEACH_RULES, the library makes these choices and does not learn others.\n",
    .options = options,
    .work = print_rules,
};
