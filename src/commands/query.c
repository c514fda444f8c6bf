/* SPDX-License-Identifier: BSD-2-Clause */
/* The question of `pleach choose` and `pleach rules`; see query.h. */
#include "query.h"

#include "cell.h"
#include "cli.h"
#include "export.h"

#include <stdlib.h>

/* Returns the places of the nodes, or NULL if there are none. */
static struct places *nodes_in(struct places *places, const struct machine *m)
{
    const int p = places_ranks(places);
    int *node = malloc((size_t)p * sizeof *node);
    struct places *of = NULL;
    for (int r = 0; r < p && node; r++)
        node[r] = r / m->node_ranks;
    cli_enough(node && places_of_nodes(places, node, m->nodes, &of));
    free(node);
    return of;
}

/* Returns the places that the library finds if it knows the nodes alone: the nodes, or none as settings say. */
static struct places *known_places(const struct query *q, int64_t ranks)
{
    const bool none = settings_places_none(&q->settings);
    int(*path)[PLACES_DEPTH] = cli_memory((size_t)ranks, sizeof *path);
    for (int64_t r = 0; r < ranks && !none; r++)
        path[r][PLACES_DEPTH - 1] = (int)(r / q->machine.node_ranks);
    struct places *t = places_of(path[0], (int)ranks, PLACES_DEPTH, false);
    cli_enough(t);
    free(path);
    return t;
}

void query_machine(struct query *q, enum natives natives, int64_t ranks, int64_t node_ranks, struct places *places)
{
    static uint64_t machines;
    struct machine *m = &q->machine;
    m->id = ++machines; /* so picks for this machine are kept (axis.h) */
    m->natives = natives;
    m->algorithms = own_algorithms_of(natives);
    m->node_ranks = (int)(node_ranks < ranks ? node_ranks : ranks);
    m->nodes = (int)((ranks - 1) / m->node_ranks + 1);
    m->gathered = m->consecutive = true;
    m->node_least = (int)(ranks - (m->nodes - 1) * (int64_t)m->node_ranks);
    m->one_node = m->nodes == 1;
    m->shared_tried = m->one_node || m->node_least > 1;
    const int64_t shared = q->settings.shared, share = shared / m->node_ranks;
    const int64_t cell =
        m->one_node ? segment_cell_within(m->node_ranks, false, share) : segment_cell_bytes(m->node_ranks, m->nodes);
    const bool fits = m->node_ranks < SEGMENT_TURNS && segment_bytes(m->node_ranks, cell) <= shared;
    m->cell = m->shared_tried && fits ? cell : 0;
    if (!places && m->nodes > 1 && ranks <= MOST_PLACED)
        places = known_places(q, ranks);
    struct places *of_nodes = places && m->nodes > 1 ? nodes_in(places, m) : NULL;
    for (int i = 0; i < SOURCES; i++) {
        m->places[i] = places;
        m->node_places[i] = of_nodes;
    }
}

void query_call(struct query *q, enum collective c, enum op_class op, int64_t ranks, int64_t root, int64_t bytes,
                int64_t element)
{
    const bool folds = collective_reduces(c);
    q->facts = (struct facts){.collective = c,
                              .op = op,
                              .symmetric = op == OP_ROUNDS,
                              .ranks = (int)ranks,
                              .root = (int)root,
                              .bytes = bytes,
                              .units = folds ? bytes / element : bytes,
                              .machine = &q->machine};
}

void query_settings(struct query *q)
{
    if (!cli_settings(&q->settings))
        _Exit(STATUS_FAILED);
}

void query_rules(struct query *q, const char *file)
{
    static int64_t from[COLLECTIVES];
    char why[256];
    q->file = file ? file : q->settings.rules;
    if (!*q->file)
        return;
    q->rules = cli_rules(rules_read(q->file, file ? "" : q->settings.learn, why, sizeof why), q->file, why);
    rules_from(q->rules, q->facts.ranks, algorithms_any(&q->machine.algorithms), from);
    q->machine.ruled_from = from;
}

void query_rule(struct query *q, const char *site)
{
    const uint64_t sited = q->rules ? rules_sited(q->rules, &q->facts) : 0;
    q->rule = q->rules ? rules_find(q->rules, &q->facts, site ? rules_at(q->rules, sited, site) : 0) : NULL;
    q->sited = sited && !site;
}

bool query_empty(const struct query *q)
{
    return q->facts.ranks == 1 || q->facts.bytes == 0;
}

const char *query_because(const struct query *q)
{
    static const char *const texts[REASONS] = {
        [REASON_MODEL] = "least predicted time",
        [REASON_NATIVE_FASTER] = "the model finds no engine enough faster than native",
        [REASON_FORCED] = "the settings name it",
        [REASON_RANDOM] = "the settings ask for a random one",
        [REASON_BELOW_THRESHOLD] = "fewer bytes than the threshold",
        [REASON_DISABLED] = "PLEACH_DISABLE says so",
        [REASON_ONE_RANK] = "there is nothing to do",
        [REASON_ZERO_BYTES] = "there is nothing to do",
        [REASON_NO_SHARED_MEMORY] = "all engines that may serve need shared memory",
        [REASON_NOT_APPLICABLE] = "none of the engines that may serve fits the call",
        [REASON_RULE] = "a rule decides which engines may serve",
    };
    if (q->plan.reason == REASON_MODEL && policy_keeps_bits(&q->settings, &q->facts))
        return "least regret on any machine, as nothing measured may change bits";
    return texts[q->plan.reason] ? texts[q->plan.reason] : "";
}

int64_t block_bytes(const struct query *q, const struct engine *e, int64_t blocks)
{
    const struct shape shape = choose_shape(&q->facts, blocks);
    const struct cut cut = {q->facts.units, blocks, engine_parts(e, &shape)};
    return cut_largest(&cut) * (q->facts.bytes / q->facts.units);
}
