/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of a tuning file, and the rules that decide about their calls; see export.h. */
#include "export.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

struct exported_rule {
    struct rule rule;
    enum outcome outcome[2]; /* [1]: for calls among first ranks */
    unsigned names;          /* bit c: it may give cells of collective c an algorithm; else it may contradict others there */
    int64_t nodes;           /* the number of nodes that it fixes; 0: it does not */
    bool new_layout;         /* no earlier rule fixes the same layout of ranks on nodes */
    bool asked;              /* it has decided about a call of the cell at hand */
};

#define ANY (-1)

/* Calls of a collective: not yet divided into cells, a cell, or calls of a cell that are alike to all rules. */
struct calls {
    enum collective collective;
    bool first_ranks;    /* calls among first ranks, with the number of nodes in the place of ranks */
    int64_t at[BY_OP];   /* a value that stands for others, up to where the next rule begins or ends; ANY: all values */
    unsigned ops, roots; /* bits, as in struct rule */
};

static const struct own_algorithm standard_own; /* stands for the library's default */

/* ---- Rules ------------------------------------------------------------------------------------------------------------ */

const char *exported_name(const struct rule *r)
{
    const uint64_t rows = r->engine.rows;
    if (!r->engine.named || !rows || rows & (rows - 1) || !engine_by_mpi(engines[__builtin_ctzll(rows)]))
        return NULL;
    const char *colon = strchr(engines[__builtin_ctzll(rows)]->name, ':');
    return colon ? colon + 1 : "";
}

struct algorithms own_algorithms_of(enum natives natives)
{
    struct algorithms all = {.carried = natives == NATIVES_OPEN_MPI};
    for (const struct own_algorithm *o = own_algorithms; o->name; o++)
        for (int i = 1; engines[i] && (natives == NATIVES_MPICH ? o->parameters != NULL : o->number != 0); i++)
            if (engines[i]->algorithm && strcmp(strchr(engines[i]->name, ':') + 1, o->name) == 0)
                all.of[o->collective] |= UINT32_C(1) << engines[i]->algorithm;
    return all;
}

/* The algorithm that the rule says is best for the collective; NULL: it says none that the library has. */
static const struct own_algorithm *says(const struct exported *x, const struct rule *r, enum collective c)
{
    const char *name = exported_name(r);
    if (!name || !*name)
        return name ? &standard_own : NULL;
    for (const struct own_algorithm *o = own_algorithms; o->name; o++)
        if (o->collective == c && strcmp(o->name, name) == 0 && !(x->lacks >> (o - own_algorithms) & 1))
            return o;
    return NULL;
}

/* Limits the rule to the format's sizes, and sets its collectives and, until the cells are known, its outcome. */
static void fit(const struct exported *x, struct exported_rule *e)
{
    struct rule *r = &e->rule;
    const int64_t largest = x->format->largest, ranks = r->ranks.least, on_node = r->node_ranks.least;
    const bool sized = r->bytes.least > 0 || r->bytes.most<INT64_MAX, beyond = r->bytes.least> largest;
    bool known = false;
    if (r->bytes.most > largest && r->bytes.most < INT64_MAX)
        r->bytes.most = largest;
    if (beyond)
        r->bytes.least = largest; /* the format cannot tell these sizes from larger ones */
    if (r->ranks.most == ranks && r->node_ranks.most == on_node && on_node >= 2 && on_node < ranks && ranks % on_node == 0)
        e->nodes = ranks / on_node;
    e->names = r->sited >= 0 || beyond ? 0 : sized ? r->collectives & x->format->divides[BY_BYTES] : r->collectives;
    for (enum collective c = 0; c < COLLECTIVES; c++)
        known |= e->names >> c & 1 && says(x, r, c);
    e->outcome[0] = e->outcome[1] = r->sited >= 0       ? OUT_SITE
                                    : !e->names         ? OUT_SIZES
                                    : !exported_name(r) ? OUT_ENGINE
                                    : known             ? OUT_HIDDEN
                                                        : OUT_UNKNOWN;
}

void exported_begin(struct exported *x, const struct format *format, uint64_t lacks, const struct rules *rules)
{
    *x = (struct exported){format, lacks, rules->count, cli_memory((size_t)rules->count + 1, sizeof *x->rule)};
    for (int i = 0; i < x->count; i++) {
        struct exported_rule *e = &x->rule[i];
        e->rule = rules->rule[i];
        fit(x, e);
        e->new_layout = e->nodes;
        for (int j = 0; j < i && e->new_layout; j++)
            e->new_layout = x->rule[j].nodes != e->nodes || x->rule[j].rule.ranks.least != e->rule.ranks.least;
    }
}

void exported_end(struct exported *x, enum outcome *outcome)
{
    for (int i = 0; i < x->count; i++)
        outcome[i] = x->rule[i].outcome[0];
    free(x->rule);
}

/* ---- Cells ------------------------------------------------------------------------------------------------------------ */

static struct span span_of(const struct exported_rule *e, enum dimension d, bool first_ranks)
{
    if (first_ranks && d < BY_BYTES)
        return d == BY_RANKS && e->nodes ? (struct span){e->nodes, e->nodes} : (struct span){0, INT64_MAX};
    return d == BY_RANKS ? e->rule.ranks : d == BY_NODE_RANKS ? e->rule.node_ranks : e->rule.bytes;
}

/* Is the rule for some of the calls? */
static bool meets(const struct exported_rule *e, const struct calls *calls)
{
    bool met = e->rule.collectives >> calls->collective & 1 && e->rule.ops & calls->ops && e->rule.roots & calls->roots;
    for (enum dimension d = 0; d < BY_OP && met; d++) {
        const struct span s = span_of(e, d, calls->first_ranks);
        met = calls->at[d] == ANY || (s.least <= calls->at[d] && calls->at[d] <= s.most);
    }
    return met;
}

/* Where the next part of the calls begins in dimension d, because a rule begins or ends; INT64_MAX: nowhere. */
static int64_t next_part(const struct exported *x, const struct calls *calls, enum dimension d, int64_t at)
{
    int64_t next = d == BY_OP && at == 0 ? 1 : INT64_MAX; /* the operations of MPI, then those of the program */
    for (int i = 0; i < x->count && d < BY_OP; i++)
        if (meets(&x->rule[i], calls)) {
            const struct span s = span_of(&x->rule[i], d, calls->first_ranks);
            const int64_t edge = s.least > at ? s.least : s.most >= at && s.most < INT64_MAX ? s.most + 1 : INT64_MAX;
            next = edge < next ? edge : next;
        }
    return next;
}

/* What the rules say about the calls of a cell. */
struct said {
    bool first_ranks;
    const struct own_algorithm *own; /* NULL: nothing */
    bool contradicted;
    unsigned ops; /* of the rules that may give the cell an algorithm */
};

static void ask_rules(struct exported *x, const struct calls *calls, struct said *v)
{
    for (struct exported_rule *e = x->rule; e < x->rule + x->count; e++) {
        if (!meets(e, calls))
            continue;
        const struct own_algorithm *own = says(x, &e->rule, calls->collective);
        if (own) {
            v->contradicted |= v->own && v->own != own;
            v->own = own;
            e->asked = e->names >> calls->collective & 1 && (!v->first_ranks || e->nodes);
            v->ops |= e->asked ? e->rule.ops : 0;
        }
        if (e->rule.sited < 0)
            break;
    }
}

/* Asks the rules about all calls: one by one about those that are not alike. */
static void ask(struct exported *x, const struct calls *calls, struct said *v)
{
    struct calls part = *calls;
    if (calls->first_ranks) {
        part.first_ranks = false;
        for (const struct exported_rule *e = x->rule; e < x->rule + x->count; e++)
            if (e->new_layout && e->nodes == calls->at[BY_RANKS]) {
                part.at[BY_RANKS] = e->rule.ranks.least;
                part.at[BY_NODE_RANKS] = e->rule.node_ranks.least;
                ask(x, &part, v);
            }
        return;
    }
    for (enum dimension d = 0; d < BY_OP; d++)
        if (calls->at[d] == ANY) {
            for (int64_t at = 0; at < INT64_MAX; at = next_part(x, calls, d, at)) {
                part.at[d] = at;
                ask(x, &part, v);
            }
            return;
        }
    for (unsigned ops = calls->ops; ops; ops &= ops - 1)
        for (unsigned roots = calls->roots; roots; roots &= roots - 1) {
            part.ops = ops & -ops;
            part.roots = roots & -roots;
            ask_rules(x, &part, v);
        }
}

/* The algorithm for a cell; NULL: the default. Also sets the outcomes of the rules that decide about its calls. */
static const struct own_algorithm *decide(struct exported *x, const struct calls *cell)
{
    struct said v = {.first_ranks = cell->first_ranks};
    for (int i = 0; i < x->count; i++)
        x->rule[i].asked = false;
    ask(x, cell, &v);
    /* As algorithms may change the bits of results, a rule for the operations whose bits are most at risk must name it. */
    const unsigned at_risk = cell->ops >> OP_ROUNDS & 1 ? 1u << OP_ROUNDS : cell->ops;
    const enum outcome outcome = v.contradicted                             ? OUT_CONTRADICTED
                                 : !(v.ops & at_risk)                       ? OUT_OPS
                                 : v.own && v.own->needs && x->format->leaf ? OUT_ORDER
                                                                            : OUT_WRITTEN;
    for (struct exported_rule *e = x->rule; e < x->rule + x->count; e++)
        if (e->asked && e->outcome[cell->first_ranks] < outcome)
            e->outcome[cell->first_ranks] = outcome;
    return outcome == OUT_WRITTEN && v.own != &standard_own ? v.own : NULL;
}

/* The text for calls whose dimensions before `d` are fixed, or cannot be told apart. */
static char *text_of(struct exported *x, const struct calls *calls, enum dimension d, const char *standard)
{
    if (d == DIMENSIONS) {
        const struct own_algorithm *own = decide(x, calls);
        return own ? leaf_text(x->format, own, standard) : NULL;
    }
    const bool divided = x->format->divides[d] >> calls->collective & 1;
    struct portion *part = cli_memory(2 * (size_t)x->count + 2, sizeof *part); /* a rule has two edges */
    int count = 0;
    for (int64_t at = 0, next; at < INT64_MAX; at = next) {
        struct calls narrowed = *calls;
        next = divided ? next_part(x, calls, d, at) : INT64_MAX;
        if (divided && d == BY_OP)
            narrowed.ops = at ? 1u << OP_ORDERED : 1u << OP_EXACT | 1u << OP_ROUNDS;
        else if (divided)
            narrowed.at[d] = at;
        char *text = text_of(x, &narrowed, d + 1, standard), *last = count ? part[count - 1].text : NULL;
        if (count && (text && last ? strcmp(text, last) == 0 : text == last))
            free(text);
        else
            part[count++] = (struct portion){.least = at, .text = text};
        part[count - 1].most = next == INT64_MAX ? next : next - 1;
    }
    char *text = part[0].text;
    if (count > 1 || (x->format->whole && x->format->level[d].part && text)) {
        text = join_text(&x->format->level[d], part, count, standard);
        for (int i = 0; i < count; i++)
            free(part[i].text);
    }
    free(part);
    return text;
}

char *exported_text(struct exported *x, enum collective c, bool first_ranks, const char *standard)
{
    const unsigned ops = collective_reduces(c) ? rule_blank.ops & ~(1u << OP_NONE) : 1u << OP_NONE;
    const unsigned roots = collective_rooted(c) ? rule_blank.roots : 1u << ROOT_FIRST;
    /* A rule that others contradict among first ranks names no algorithm for other calls either. */
    for (struct exported_rule *e = x->rule; e < x->rule + x->count && !first_ranks; e++)
        if (e->outcome[1] == OUT_CONTRADICTED) {
            e->outcome[0] = OUT_CONTRADICTED;
            e->names = 0;
        }
    return text_of(x, &(struct calls){c, first_ranks, {ANY, ANY, ANY}, ops, roots}, BY_RANKS, standard);
}
