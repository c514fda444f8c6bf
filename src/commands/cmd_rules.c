/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach rules: prints a file of rules that says what the library would choose for a job. A line is for a range of sizes.
 *
 * The command asks choose() at FINE sizes for each power of two. Between two sizes with different answers, it finds the
 * boundary by halving, so it may miss a range that begins and ends between two neighbouring sizes. Lines that differ in the
 * root alone are joined, then those that differ in the operation, then those that differ in the collective.
 */
#include "cli.h"
#include "figurefile.h"
#include "query.h"
#include "rules.h"
#include "textfile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = 16, LINES = 4096, ELEMENT = 8, DEFAULT_RANKS = 16 };
#define LARGEST (INT64_C(1) << 32)

static int64_t ranks, node_ranks;
static int mpi = -1;
static const char *places, *figures_file;

/* A line of the output: calls, sizes for which the choice is the same, and the choice. */
struct line {
    struct rule rule;        /* no collectives: the line was joined with another one */
    const struct rule *from; /* the rule of PLEACH_RULES that decides, or NULL */
    enum reason reason;
    bool bits; /* nothing measured may decide about the calls */
};

static struct line line[LINES];
static int lines;

/* ---- Choices ---------------------------------------------------------------------------------------------------------- */

static bool same_choice(const struct line *a, const struct line *b)
{
    return a->rule.engine.rows == b->rule.engine.rows && a->from == b->from && a->reason == b->reason && a->bits == b->bits;
}

static struct line choice_at(struct query *q, int64_t bytes)
{
    const struct facts *f = &q->facts;
    query_call(q, f->collective, f->op, f->ranks, f->root, bytes, ELEMENT);
    query_rule(q, NULL);
    q->plan = choose(&q->settings, q->rule, &q->facts);
    struct line x = {.rule = rule_for(f->collective, f->op, f->ranks, f->machine->node_ranks, q->plan.engine, 0),
                     .from = q->plan.reason == REASON_RULE ? q->rule : NULL,
                     .reason = q->plan.reason,
                     .bits = policy_keeps_bits(&q->settings, f)};
    x.rule.roots = 1u << root_place(f->root, f->ranks);
    x.rule.bytes.least = bytes;
    return x;
}

static void add_line(const struct line *x)
{
    if (lines == LINES)
        cli_fail(STATUS_FAILED, "the choice changes at more than %d sizes", LINES);
    line[lines++] = *x;
}

/* Adds the ranges that begin after `low`, up to `high`. */
static void add_between(struct query *q, const struct line *low, const struct line *high, int64_t unit)
{
    const int64_t from = low->rule.bytes.least, to = high->rule.bytes.least;
    if (same_choice(low, high))
        return;
    if (to - from == unit) {
        line[lines - 1].rule.bytes.most = to - 1;
        add_line(high);
        return;
    }
    const struct line middle = choice_at(q, from + (to - from) / unit / 2 * unit);
    add_between(q, low, &middle, unit);
    add_between(q, &middle, high, unit);
}

/* Adds the lines of a collective with an operation of this class and this root. */
static void add_lines(struct query *q, enum collective c, enum op_class op, int64_t root)
{
    const int64_t unit = collective_reduces(c) ? ELEMENT : 1;
    const int first = lines;
    query_call(q, c, op, ranks, root, unit, ELEMENT);
    struct line last = choice_at(q, unit);
    add_line(&last);
    for (int64_t power = unit; power < LARGEST; power *= 2)
        for (int part_of = 1; part_of <= FINE; part_of++) {
            const int64_t bytes = power + power * part_of / FINE / unit * unit;
            if (bytes > last.rule.bytes.least) {
                const struct line next = choice_at(q, bytes);
                add_between(q, &last, &next, unit);
                last = next;
            }
        }
    line[first].rule.bytes.least = line[first].rule.engine.rows == 1 ? 0 : 1; /* see rule_from() */
}

static void add_all(struct query *q)
{
    for (int c = 0; c < COLLECTIVES; c++)
        for (int op = OP_NONE; op <= OP_ORDERED; op++)
            for (int place = ROOT_FIRST; place <= ROOT_INSIDE; place++) {
                const int64_t root = place == ROOT_FIRST ? 0 : place == ROOT_LAST ? ranks - 1 : ranks / 2;
                if (collective_reduces((enum collective)c) == (op != OP_NONE) &&
                    root_place((int)root, (int)ranks) == (enum root_place)place &&
                    (collective_rooted((enum collective)c) || place == ROOT_FIRST))
                    add_lines(q, (enum collective)c, (enum op_class)op, root);
            }
}

/* ---- Lines ------------------------------------------------------------------------------------------------------------ */

/* Are the lines equal but for the condition at this offset? */
static bool alike(const struct line *a, const struct line *b, size_t condition)
{
    struct rule x = a->rule;
    memcpy((char *)&x + condition, (const char *)&b->rule + condition, sizeof(unsigned));
    return same_choice(a, b) && x.collectives == b->rule.collectives && x.ops == b->rule.ops && x.roots == b->rule.roots &&
           x.bytes.least == b->rule.bytes.least && x.bytes.most == b->rule.bytes.most;
}

/* Joins lines that are equal but for the set of words at this offset. */
static void join(size_t condition)
{
    for (int i = 0; i < lines; i++)
        for (int j = i + 1; j < lines; j++)
            if (line[i].rule.collectives && line[j].rule.collectives && alike(&line[i], &line[j], condition)) {
                *(unsigned *)((char *)&line[i].rule + condition) |= *(unsigned *)((char *)&line[j].rule + condition);
                line[j].rule.collectives = 0;
            }
}

/* May a rule apply to the line's calls? */
static bool applies(const struct line *x)
{
    return x->reason == REASON_MODEL || x->reason == REASON_NATIVE_FASTER || x->reason == REASON_FORCED ||
           x->reason == REASON_RULE;
}

/* The line as a rule; the caller frees it. */
static char *rule_text(const struct line *x)
{
    const unsigned folds = 1u << OP_EXACT | 1u << OP_ROUNDS | 1u << OP_ORDERED;
    struct rule rule = x->rule;
    struct text t;
    unsigned all = 0;
    bool rooted = false;
    for (int root = 0; root < ranks && root < 2; root++)
        all |= 1u << root_place(root, (int)ranks) | 1u << root_place((int)ranks - 1, (int)ranks);
    for (int c = 0; c < COLLECTIVES; c++)
        rooted |= rule.collectives >> c & 1 && collective_rooted((enum collective)c);
    if (!rooted || rule.roots == all)
        rule.roots = rule_blank.roots;
    if (rule.ops == folds || rule.ops == 1u << OP_NONE)
        rule.ops = rule_blank.ops;
    if (x->from) {
        rule.block = x->from->block;
        rule.evidence = x->from->evidence;
    }
    rule_put(text_begin(&t), &rule);
    char *text = text_end(&t);
    text[strcspn(text, "\n")] = 0;
    return text;
}

/* A line as data. */
struct ruled {
    const char *rule, *engine, *reason;
    int64_t least, most; /* bytes; most -1: any */
    bool applies, bits;
};

#define AT(field) offsetof(struct ruled, field)
static const struct table_column columns[] = {
    {"rule", NULL, VALUE_TEXT, AT(rule), NULL},        {"engine", NULL, VALUE_ENGINE, AT(engine), NULL},
    {"reason", NULL, VALUE_TEXT, AT(reason), NULL},    {"least_bytes", NULL, VALUE_COUNT, AT(least), NULL},
    {"most_bytes", NULL, VALUE_COUNT, AT(most), NULL}, {"applies", NULL, VALUE_WORD, AT(applies), NULL},
    {"keeps_bits", NULL, VALUE_WORD, AT(bits), NULL},  {0}};

/* Puts a line into the table or, as text, prints it, as a comment if no rule applies to its calls. */
static void put_line(const struct line *x, struct table *t)
{
    char *text = rule_text(x);
    const int64_t most = x->rule.bytes.most;
    const struct ruled row = {.rule = text,
                              .engine = engines[63 - __builtin_clzll(x->rule.engine.rows)]->name,
                              .reason = reason_word(x->reason),
                              .least = x->rule.bytes.least,
                              .most = most == SIZE_INF ? -1 : most,
                              .applies = applies(x),
                              .bits = x->bits && !x->from};
    if (cli_format != TABLE_TEXT)
        table_row(t, &row);
    else
        printf("%s%s # %s%s\n", row.applies ? "" : "# ", text, row.reason,
               row.applies && row.bits ? ", whatever was measured" : "");
    free(text);
}

/* ---- The job ---------------------------------------------------------------------------------------------------------- */

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
            cli_fail(STATUS_FAILED, "%s is no output of 'pleach figures': %s; see 'pleach figures --help'", figures_file,
                     lacks);
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
        cli_fail(STATUS_USAGE, "%s has no parameters %s, which the options need", figures_file,
                 file.nodes == 1 ? "between nodes" : "within a node");
    }
}

static int print_rules(char **operand)
{
    static struct query q;
    struct document out;
    struct table t;
    (void)operand;
    query_settings(&q);
    const struct figures *set = &q.settings.figures;
    for (int c = 0; c < COLLECTIVES; c++)
        if (q.settings.engine[c].random)
            cli_fail(STATUS_FAILED, "settings let engines be drawn at random, so there are no rules");
    read_job(&q, cli_places(places, &ranks));
    q.facts.ranks = (int)ranks;
    query_rules(&q, NULL);
    add_all(&q);
    join(offsetof(struct rule, roots));
    join(offsetof(struct rule, ops));
    join(offsetof(struct rule, collectives));
    cli_document(&out);
    if (cli_format != TABLE_TEXT)
        table_open(&t, &out, "rules", columns);
    else
        printf(
            "pleach-rules %d\n# What Pleach chooses for %lld ranks, %d on a node, by %s parameters, before it learns from "
            "calls.\n",
            RULES_VERSION, (long long)ranks, q.machine.node_ranks,
            set->alpha >= 0 || set->beta >= 0 || set->gamma >= 0 ? "given"
            : q.machine.measured                                 ? "measured"
                                                                 : "nominal");
    for (const struct line *x = line; x < line + lines; x++)
        if (x->rule.collectives)
            put_line(x, &t);
    if (cli_format != TABLE_TEXT)
        cli_table_end(&t);
    document_end(&out);
    free(q.rules);
    return 0;
}

static const struct command_option options[] = {
    {"ranks", "NUMBER", "number of ranks; default: that of --figures or --places, else 16", OPTION_NUMBER, 1, MOST_RANKS,
     &ranks},
    {"ranks-per-node", "NUMBER", "consecutive ranks that share a node; default: that of --figures, else 1", OPTION_NUMBER, 1,
     MOST_RANKS, &node_ranks},
    {"places", "TREE", "which ranks are near each other, as for 'pleach choose'", OPTION_TEXT, 0, 0, &places},
    {"mpi", "mpich|openmpi", "the MPI library; default: that of --figures, else mpich", OPTION_WORD, 0, 0, &mpi},
    {"figures", "FILE", "what 'pleach figures' has printed; default: nominal parameters", OPTION_TEXT, 0, 0, &figures_file},
    CLI_FORMAT(", a file of rules"),
    {0},
};

const struct command command_rules = {
    .name = "rules",
    .usage = "[OPTION...]",
    .summary = "show all that the library would choose for a job, as a file of rules",
    .details =
        "Prints a rule for each range of sizes, for elements of 8 bytes, with the settings of the environment and of\n"
        "PLEACH_CONF, and the rules of PLEACH_RULES with their evidence. With this file as PLEACH_RULES, the library\n"
        "makes these choices and does not learn others.\n",
    .options = options,
    .work = print_rules,
};
