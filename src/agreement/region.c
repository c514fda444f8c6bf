/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds measured places; see region.h. */
#include "region.h"

#include "infer.h"
#include "layout.h"
#include "process.h"
#include "prober.h"
#include "small_stack.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are the innermost places, and measured places lie around them. */
enum { LEVELS = PLACES_DEPTH - 1 };

enum { FEWEST_KNOWN = 4 }; /* hosts; the inference does not divide fewer hosts into places */

static const uint64_t SEED = 2004; /* any number */

/* ---- Hosts in the order of their addresses ---------------------------------------------------------------------------- */

/* The first IPv4 address of this host that is not a loopback address; 0 if there is none. */
static uint32_t own_address(void)
{
    struct ifaddrs *all = NULL;
    uint32_t address = 0;
    if (getifaddrs(&all) != 0)
        return 0;
    for (const struct ifaddrs *i = all; i && !address; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) && !(i->ifa_flags & IFF_LOOPBACK)) {
            struct sockaddr_in in;
            memcpy(&in, i->ifa_addr, sizeof in);
            address = ntohl(in.sin_addr.s_addr);
        }
    freeifaddrs(all);
    return address;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * Sets order[i] to the i-th node by address. Nodes with equal addresses, or without one, are in order of their numbers. A
 * key is at most ABI_LARGEST_COMPARED: the number of a node has 31 bits.
 */
static void order_of(struct comm *c, uint64_t *key, int *order)
{
    const int nodes = c->locality.nodes->nodes;
    const struct node_rank own = node_rank_of(c->locality.nodes, c->rank);
    memset(key, 0, (size_t)nodes * sizeof *key);
    if (own.index == 0)
        key[own.node] = (uint64_t)own_address() << 31 | (uint64_t)own.node;
    words_largest(c->channel.comm, key, nodes);
    qsort(key, (size_t)nodes, sizeof *key, by_number);
    for (int i = 0; i < nodes; i++) {
        assert(i == 0 || key[i - 1] < key[i]); /* each node's key has arrived */
        order[i] = (int)(key[i] & INT32_MAX);
    }
}

/* ---- Earlier surveys ------------------------------------------------------------------------------------------------- */

/* Finds the latest group info that has a survey and this process in its group. Sets *rank to the process's rank there. */
static const struct group_info *own_survey(int *rank)
{
    const struct group_info *found = group_info_latest();
    for (; found; found = found->next)
        if (found->survey) {
            pmpi.Group_rank(found->group, rank);
            if (*rank != MPI_UNDEFINED)
                break;
        }
    return found;
}

/*
 * A number that identifies a survey. It is larger if the survey has more hosts, and 0 if the survey has too few hosts to say
 * where other hosts belong.
 */
static uint64_t key_of(const struct group_info *found)
{
    return found && found->survey->hosts >= FEWEST_KNOWN ? (uint64_t)found->survey->hosts << 40 | (found->id >> 24 | 1) : 0;
}

/* Returns a copy of the survey of rank `from`, which the caller frees; NULL on all ranks if memory is short on a rank. */
static struct survey *share_survey(struct comm *c, const struct survey *mine, int from)
{
    struct survey head = mine ? *mine : (struct survey){.hosts = 0};
    pmpi.Bcast(&head, (int)sizeof head, MPI_BYTE, from, c->channel.comm);
    const size_t places = (size_t)head.rows * sizeof head.place[0], rows = (size_t)head.hosts * sizeof head.row[0];
    struct survey *s = malloc(sizeof *s + places + rows);
    if (!pmpi_agreed(c->channel.comm, s != NULL, MPI_MIN) || !s) { /* pmpi_agreed() implies `s` */
        free(s);
        return NULL;
    }
    *s = head;
    s->row = (int *)(s->place + s->rows);
    if (mine && c->rank == from) {
        memcpy(s->place, mine->place, places);
        memcpy(s->row, mine->row, rows);
    }
    pmpi.Bcast(s->place, (int)places, MPI_BYTE, from, c->channel.comm);
    pmpi.Bcast(s->row, (int)rows, MPI_BYTE, from, c->channel.comm);
    return s;
}

/*
 * Finds the survey with most hosts among those of all ranks, and sets *survey to its part about c. The nodes of c that are
 * not in this survey are newcomers. Sets *survey to NULL if no rank has a survey with enough hosts (key_of()). word[]
 * and known[] are scratch memory for c's nodes. Returns false on all ranks if memory is short.
 */
static bool find_known(struct comm *c, uint64_t *word, int *known, struct survey **survey)
{
    const struct node_list *nodes = c->locality.nodes;
    int rank = 0, from;
    const struct group_info *own = own_survey(&rank);
    uint64_t mine = key_of(own), most = mine;
    *survey = NULL;
    words_largest(c->channel.comm, &most, 1);
    if (most == 0)
        return true;
    bool knows = mine == most;
    from = pmpi_agreed(c->channel.comm, knows ? c->rank : c->ranks, MPI_MIN);
    memset(word, 0, (size_t)nodes->nodes * sizeof *word);
    if (knows)
        word[nodes->node[c->rank]] = (uint64_t)own->node[rank] + 1;
    words_largest(c->channel.comm, word, nodes->nodes);
    for (int i = 0; i < nodes->nodes; i++)
        known[i] = (int)word[i] - 1;
    struct survey *all = share_survey(c, knows ? own->survey : NULL, from);
    if (!all)
        return false;
    *survey = survey_part(all, known, nodes->nodes);
    free(all);
    if (pmpi_agreed(c->channel.comm, *survey != NULL, MPI_MIN))
        return true;
    free(*survey);
    return false;
}

/* ---- Measuring -------------------------------------------------------------------------------------------------------- */

/* `room` is scratch memory with two numbers for each node. */
static struct survey *find_places(struct comm *c, uint64_t *room, bool anew, struct limit *limit)
{
    const int nodes = c->locality.nodes->nodes;
    int *known = (int *)(room + nodes), *order = known + nodes;
    struct survey *before = NULL, *survey;
    struct field field;
    if (!anew && !find_known(c, room, known, &before))
        return NULL;
    order_of(c, room, order);
    const struct prober prober = field_open(&field, c, limit);
    survey = before ? infer_join(&prober, before, LEVELS, order) : infer_places(&prober, nodes, LEVELS, order, SEED);
    field_close(&field);
    free(before);
    return survey;
}

void region_measure(struct comm *c, struct group_info *found, bool anew, struct limit *limit)
{
    const int nodes = c->locality.nodes->nodes;
    if (nodes == 1 || !settings_places_measured(&process.settings))
        return;
    free(found->survey);
    found->survey = NULL;
    uint64_t *room = malloc(2 * (size_t)nodes * sizeof *room);
    if (pmpi_agreed(c->channel.comm, room != NULL, MPI_MIN) && room)
        found->survey = find_places(c, room, anew, limit);
    free(room);
}

/* ---- Inheriting ------------------------------------------------------------------------------------------------------- */

/* The part of the survey that is about c; NULL if memory is short. */
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

/* The places of a survey of c's nodes, with the nodes as the innermost places; NULL if memory is short. */
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

void region_take(struct comm *c, const struct group_info *found)
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
        m->far = measured.far;
    } else {
        places_free(places);
        places_free(of_nodes);
    }
    free(part);
}
