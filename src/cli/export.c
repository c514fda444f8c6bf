/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells of a tuning file, and the rules that count in them; see export.h. */
#include "export.h"

#include "cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Calls that the format cannot tell apart, or that text_of() has not yet divided. */
struct tuned_cell {
    enum collective collective;
    struct span span[BY_OP];
    unsigned ops, roots; /* bits, as in struct rule */
    /* The cell gets an algorithm only if a rule for this class names it, as algorithms may change the bits of results. */
    enum op_class weighs;
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------------ */

static const struct span *span_of(const struct rule *r, enum dimension d)
{
    const struct span *spans[BY_OP] = {[BY_RANKS] = &r->ranks, [BY_NODE_RANKS] = &r->node_ranks, [BY_BYTES] = &r->bytes};
    return spans[d];
}

/* Returns NAME if the rule names native:NAME alone, "" if it names native alone, else NULL. */
static const char *native_name(const struct rule *r)
{
    const uint64_t rows = r->engine.rows;
    if (!r->engine.named || !rows || rows & (rows - 1))
        return NULL;
    const struct engine *e = engines[__builtin_ctzll(rows)];
    const char *colon = strchr(e->name, ':');
    return !engine_by_mpi(e) ? NULL : colon ? colon + 1 : "";
}

bool exported_default(const struct rule *r)
{
    const char *name = native_name(r);
    return name && !*name;
}

static bool same_name(const char *engine, const char *own)
{
    while (*engine && (*engine == *own || (*engine == '-' && *own == '_'))) {
        engine++;
        own++;
    }
    return *engine == *own;
}

/* Does the rule say which algorithm is best for the collective? Sets *own to this algorithm; NULL: the default. */
static bool says(const struct exported *x, const struct rule *r, enum collective c, const struct own_algorithm **own)
{
    const char *name = native_name(r);
    *own = NULL;
    if (!name || !*name)
        return name;
    for (const struct own_algorithm *o = x->format->own; o->name; o++)
        if (o->collective == c && same_name(name, o->name) && !(x->lacks >> (o - x->format->own) & 1))
            *own = o;
    return *own;
}

/* Does the rule limit sizes? */
static bool sized(const struct rule *r)
{
    return r->bytes.least > 0 || r->bytes.most < INT64_MAX;
}

/* Has the rule, for this collective, a condition that the format lacks and that may not be dropped? */
static bool partial(const struct format *format, const struct rule *r, enum collective c)
{
    return r->sited >= 0 || (sized(r) && !(format->sizes >> c & 1));
}

/* May the rule give a cell of this collective an algorithm? */
static bool names(const struct exported *x, const struct exported_rule *r, enum collective c)
{
    return r->names && !partial(x->format, &r->rule, c);
}

/* Returns why the format cannot have the rule, or OUT_WRITTEN. Lowers an upper limit of sizes that is too large for it. */
static enum outcome fit(const struct exported *x, struct rule *r)
{
    const struct format *format = x->format;
    const char *name = native_name(r);
    const struct own_algorithm *own;
    bool whole = false, known = false;
    if (r->bytes.most > format->largest && r->bytes.most < INT64_MAX)
        r->bytes.most = format->largest;
    for (int c = 0; c < COLLECTIVES; c++)
        if (r->collectives >> c & 1 && !partial(format, r, (enum collective)c)) {
            whole = true;
            known |= says(x, r, (enum collective)c, &own);
        }
    return r->sited >= 0                                ? OUT_SITE
           : !whole || r->bytes.least > format->largest ? OUT_SIZES
           : !name                                      ? OUT_ENGINE
           : known                                      ? OUT_WRITTEN
                                                        : OUT_UNKNOWN;
}

void exported_begin(struct exported *x, const struct format *format, uint64_t lacks, const struct rules *rules)
{
    *x = (struct exported){format, lacks, rules->count, cli_memory((size_t)rules->count + 1, sizeof *x->rule)};
    for (int i = 0; i < x->count; i++) {
        struct rule *r = &x->rule[i].rule;
        *r = rules->rule[i];
        const enum outcome outcome = fit(x, r);
        x->rule[i].outcome = outcome == OUT_WRITTEN ? OUT_HIDDEN : outcome;
        x->rule[i].source = i;
        x->rule[i].names = r->bytes.least <= format->largest;
        if (!x->rule[i].names)
            r->bytes.least = format->largest; /* the format cannot tell these sizes from larger ones */
    }
}

void exported_end(struct exported *x)
{
    free(x->rule);
}

/* Does the rule fix the number of nodes, and one number of ranks for all nodes, and are both numbers at least two? */
static bool fixes_nodes(const struct rule *r)
{
    const int64_t ranks = r->ranks.least, on_node = r->node_ranks.least;
    return r->ranks.most == ranks && r->node_ranks.most == on_node && on_node >= 2 && on_node < ranks &&
           ranks % on_node == 0;
}

static bool has(const struct span *s, int64_t value)
{
    return s->least <= value && value <= s->most;
}

/* Is the rule for some calls of this many ranks, with this many on each node? */
static bool for_layout(const struct rule *r, int64_t ranks, int64_t on_node)
{
    return has(&r->ranks, ranks) && has(&r->node_ranks, on_node);
}

/* The first rule that fixes the same numbers as rule i. */
static int group_of(const struct exported *all, int i)
{
    int group = 0;
    while (!fixes_nodes(&all->rule[group].rule) ||
           !for_layout(&all->rule[group].rule, all->rule[i].rule.ranks.least, all->rule[i].rule.node_ranks.least))
        group++;
    return group;
}

void exported_for_nodes(struct exported *x, const struct exported *all)
{
    size_t groups = 0;
    for (int i = 0; i < all->count; i++)
        groups += fixes_nodes(&all->rule[i].rule) && group_of(all, i) == i;
    *x = (struct exported){all->format, all->lacks, 0, cli_memory(groups * (size_t)all->count + 1, sizeof *x->rule)};
    for (int i = 0; i < all->count; i++) {
        const int64_t ranks = all->rule[i].rule.ranks.least, on_node = all->rule[i].rule.node_ranks.least;
        if (!fixes_nodes(&all->rule[i].rule) || group_of(all, i) != i)
            continue;
        for (int j = 0; j < all->count; j++)
            if (for_layout(&all->rule[j].rule, ranks, on_node)) {
                struct exported_rule *r = &x->rule[x->count++];
                *r = all->rule[j];
                r->source = j;
                r->group = i;
                r->names &= fixes_nodes(&r->rule);
                r->rule.ranks = (struct span){ranks / on_node, ranks / on_node};
                r->rule.node_ranks = rule_blank.node_ranks;
            }
    }
}

void exported_join(struct exported *all, const struct exported *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const struct exported_rule *r = &nodes->rule[i];
        if (r->names && r->outcome == OUT_CONTRADICTED) {
            all->rule[r->source].outcome = OUT_CONTRADICTED;
            all->rule[r->source].names = false;
        }
    }
}

/* ---- Cells ------------------------------------------------------------------------------------------------------------ */

static struct span common(const struct span *a, const struct span *b)
{
    return (struct span){a->least > b->least ? a->least : b->least, a->most < b->most ? a->most : b->most};
}

/* Is the rule for some calls of the cell? */
static bool meets(const struct rule *r, const struct tuned_cell *cell)
{
    bool met = r->collectives >> cell->collective & 1 && r->ops & cell->ops && r->roots & cell->roots;
    for (enum dimension d = 0; d < BY_OP && met; d++) {
        const struct span both = common(span_of(r, d), &cell->span[d]);
        met = both.least <= both.most;
    }
    return met;
}

/* Does rule i decide about calls of the cell? Not if an earlier rule of its group takes all calls that it has there. */
static bool counts(const struct exported *x, int i, const struct tuned_cell *cell)
{
    const struct rule *r = &x->rule[i].rule;
    bool free_of_others = meets(r, cell);
    for (int before = 0; before < i && free_of_others; before++) {
        const struct rule *e = &x->rule[before].rule;
        bool inside = x->rule[before].group == x->rule[i].group && e->sited < 0 && e->collectives >> cell->collective & 1 &&
                      !(r->ops & cell->ops & ~e->ops) && !(r->roots & cell->roots & ~e->roots);
        for (enum dimension d = 0; d < BY_OP && inside; d++) {
            const struct span both = common(span_of(r, d), &cell->span[d]), *s = span_of(e, d);
            inside = both.least >= s->least && both.most <= s->most;
        }
        free_of_others = !inside;
    }
    return free_of_others;
}

/*
 * The algorithm for a cell that the format cannot divide further; NULL: the default. Also sets the rules' outcomes. A rule
 * for a part of the cell gives it no algorithm, but may contradict other rules.
 */
static const struct own_algorithm *verdict(struct exported *x, const struct tuned_cell *cell)
{
    const struct own_algorithm *found = NULL, *own;
    enum outcome outcome = OUT_WRITTEN;
    bool said = false;
    unsigned ops = 0;
    for (int i = 0; i < x->count; i++)
        if (counts(x, i, cell) && says(x, &x->rule[i].rule, cell->collective, &own)) {
            if (said && own != found)
                outcome = OUT_CONTRADICTED;
            found = own;
            said = true;
            ops |= names(x, &x->rule[i], cell->collective) ? x->rule[i].rule.ops : 0;
        }
    if (outcome == OUT_WRITTEN && !(ops >> cell->weighs & 1))
        outcome = OUT_OPS;
    if (outcome == OUT_WRITTEN && found && found->needs & ~x->format->guards)
        outcome = OUT_ORDER;
    for (int i = 0; i < x->count; i++)
        if (counts(x, i, cell) && says(x, &x->rule[i].rule, cell->collective, &own) && x->rule[i].outcome < outcome &&
            names(x, &x->rule[i], cell->collective))
            x->rule[i].outcome = outcome;
    return outcome == OUT_WRITTEN ? found : NULL;
}

static bool divides(const struct format *format, enum collective c, enum dimension d)
{
    const unsigned has = d == BY_OP ? format->ops : d == BY_BYTES ? format->sizes : ~0U;
    return format->seen >> d & 1 && has >> c & 1;
}

/* The last value, in dimension d, of the part of the cell that begins with `least`. */
static int64_t end_of_part(const struct exported *x, const struct tuned_cell *cell, enum dimension d, int64_t least)
{
    int64_t end = INT64_MAX;
    if (!divides(x->format, cell->collective, d))
        return end;
    if (d == BY_OP)
        return least == 0 ? 0 : end; /* the operations of MPI, then those of the program */
    for (int i = 0; i < x->count; i++)
        if (meets(&x->rule[i].rule, cell)) {
            const struct span *s = span_of(&x->rule[i].rule, d);
            if (s->least > least && s->least - 1 < end)
                end = s->least - 1;
            if (s->most >= least && s->most < end)
                end = s->most;
        }
    return end;
}

static struct tuned_cell part_of(const struct tuned_cell *cell, enum dimension d, int64_t least, int64_t most)
{
    const unsigned of_mpi = 1u << OP_EXACT | 1u << OP_ROUNDS;
    struct tuned_cell part = *cell;
    if (d < BY_OP) {
        part.span[d] = (struct span){least, most};
    } else if (least > 0) {
        part.ops = 1u << OP_ORDERED;
        part.weighs = OP_ORDERED;
    } else if (most == 0) {
        part.ops = of_mpi;
    }
    return part;
}

/* The text for a cell whose dimensions before `d` are fixed. */
static char *text_of(struct exported *x, const struct tuned_cell *cell, enum dimension d, const char *standard)
{
    struct text t;
    int count = 0;
    char *text = NULL;
    if (d == DIMENSIONS) {
        const struct own_algorithm *own = verdict(x, cell);
        if (!own)
            return NULL;
        x->format->leaf(text_begin(&t), own, standard);
        return text_end(&t);
    }
    struct portion *part = cli_memory(2 * (size_t)x->count + 2, sizeof *part); /* a rule has two edges */
    for (int64_t least = 0, most = 0; most < INT64_MAX; least = most + 1) {
        most = end_of_part(x, cell, d, least);
        const struct tuned_cell narrowed = part_of(cell, d, least, most);
        text = text_of(x, &narrowed, d + 1, standard);
        if (count && same_text(text, part[count - 1].text))
            free(text);
        else
            part[count++] = (struct portion){.least = least, .text = text};
        part[count - 1].most = most;
    }
    const bool seen = x->format->seen >> d & 1;
    if (count > 1 || (x->format->full && seen && part[0].text)) {
        x->format->join(text_begin(&t), d, part, count, standard);
        text = text_end(&t);
        for (int i = 0; i < count; i++)
            free(part[i].text);
    } else {
        text = part[0].text;
    }
    free(part);
    return text;
}

char *exported_text(struct exported *x, enum collective c, const char *standard)
{
    const struct span all = {0, INT64_MAX};
    const struct tuned_cell cell = {.collective = c,
                                    .span = {all, all, all},
                                    .ops = collective_reduces(c) ? rule_blank.ops & ~(1u << OP_NONE) : 1u << OP_NONE,
                                    .roots = collective_rooted(c) ? rule_blank.roots : 1u << ROOT_FIRST,
                                    .weighs = collective_reduces(c) ? OP_ROUNDS : OP_NONE};
    return text_of(x, &cell, BY_RANKS, standard);
}
