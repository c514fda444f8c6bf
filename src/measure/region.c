/* SPDX-License-Identifier: BSD-2-Clause */
/* See region.h. */
#include "region.h"

#include "infer.h"
#include "layout.h"
#include "process.h"
#include "prober.h"
#include "small_stack.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t SEED = 2004;

void region_measure(struct comm *c, struct group_info *found, int *rack, struct limit *limit)
{
    const struct node_list *nodes = c->locality.nodes;
    struct field field;
    if (nodes->nodes == 1 || !settings_places_measured(&process.settings))
        return;
    for (int i = 0; i < nodes->nodes; i++)
        rack[i] = found->path[node_list_rank(nodes, i, 0)][PATH_RACK];
    free(found->survey);
    const struct prober prober = field_open(&field, c, limit);
    found->survey = infer_places(&prober, nodes->nodes, rack, SEED);
    field_close(&field);
}

static struct survey *part_of(const struct comm *c, const struct group_info *found)
{
    const struct node_list *nodes = c->locality.nodes;
    int *rank = group_ranks(found->group, c->user, c->ranks), *host = malloc((size_t)nodes->nodes * sizeof *host);
    struct survey *part = NULL;
    for (int i = 0; rank && host && i < nodes->nodes; i++)
        host[i] = found->node[rank[node_list_rank(nodes, i, 0)]];
    if (rank && host)
        part = survey_part(found->survey, host, nodes->nodes);
    free(host);
    free(rank);
    return part;
}

void region_keep(struct comm *c, struct group_info *found)
{
    const struct group_info *before = c->locality.measured;
    if (!before->survey)
        return;
    found->survey = part_of(c, before);
    if (!pmpi_agreed(c->channel.comm, found->survey != NULL, MPI_MIN)) {
        free(found->survey);
        found->survey = NULL;
    }
}

/* The nodes are the innermost places. NULL without memory. */
static struct places *places_around(const struct comm *c, const struct survey *s)
{
    const int *node = c->locality.nodes->node;
    int(*path)[PLACES_DEPTH] = calloc((size_t)c->ranks, sizeof *path);
    for (int r = 0; path && r < c->ranks; r++) {
        survey_path(s, node[r], path[r]);
        path[r][s->depth] = node[r];
    }
    struct places *places = path ? places_of(path[0], c->ranks, PLACES_DEPTH, s->sites) : NULL;
    free(path);
    return places;
}

void region_order(struct comm *c, const struct group_info *found, int *order)
{
    struct places *places = found->survey ? places_around(c, found->survey) : NULL;
    const bool sorted = found->survey && pmpi_agreed(c->channel.comm, places != NULL, MPI_MIN) && places && places->order;
    memcpy(order, sorted ? places->order : c->locality.nodes->rank, (size_t)c->ranks * sizeof *order);
    places_free(places);
}

void region_adopt(struct comm *c, const struct group_info *found)
{
    struct machine *m = &c->known.machine, measured = *m;
    if (!found->survey)
        return;
    struct survey *part = part_of(c, found);
    struct places *places = part ? places_around(c, part) : NULL, *of_nodes = NULL;
    if (places)
        layout_reach(&measured, places, part->reach);
    const bool have = places && places_of_nodes(places, c->locality.nodes->node, m->nodes, &of_nodes);
    if (pmpi_agreed(c->user, have, MPI_MIN) && have) {
        places_free(c->locality.places[SOURCE_MEASURED]);
        places_free(c->locality.node_places[SOURCE_MEASURED]);
        m->places[SOURCE_MEASURED] = c->locality.places[SOURCE_MEASURED] = places;
        m->node_places[SOURCE_MEASURED] = c->locality.node_places[SOURCE_MEASURED] = of_nodes;
        m->distant = measured.distant;
    } else {
        places_free(places);
        places_free(of_nodes);
    }
    free(part);
}
