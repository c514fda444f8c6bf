/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured places; see region.h. */
#include "region.h"

#include "infer.h"
#include "process.h"
#include "prober.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are the innermost places of all: what is told apart by measuring lies around them. */
enum { LEVELS = PLACES_DEPTH - 1 };

static const uint64_t SEED = 2004; /* any */

/* ---- Hosts in the order of their addresses ------------------------------------------------------------------------- */

/* The first IPv4 address of this host that is not its own loop; 0: none. */
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

/* Sets order[i] to the i-th node in the order of addresses; those of one address, or without any, in that of numbers. */
static void order_of(struct comm *c, const struct by_node *list, uint64_t *key, int *order)
{
    memset(key, 0, (size_t)list->nodes * sizeof *key);
    const int mine = list->node[c->rank];
    if (list->lead[mine] == c->rank)
        key[mine] = (uint64_t)own_address() << 32 | (uint32_t)mine;
    pmpi.Allreduce(MPI_IN_PLACE, key, list->nodes, MPI_UINT64_T, MPI_MAX, c->channel.comm);
    qsort(key, (size_t)list->nodes, sizeof *key, by_number);
    for (int i = 0; i < list->nodes; i++)
        order[i] = (int)(uint32_t)key[i];
}

/* ---- Measuring -------------------------------------------------------------------------------------------------------- */

/* `room` has two numbers for each node. */
static struct survey *find_places(struct comm *c, const struct by_node *list, uint64_t *room)
{
    int *order = (int *)(room + list->nodes);
    struct field field;
    order_of(c, list, room, order);
    const struct prober prober = field_open(&field, c, list);
    struct survey *survey = infer_places(&prober, list->nodes, LEVELS, order, SEED);
    field_close(&field);
    return survey;
}

void region_measure(struct comm *c, const struct by_node *list, struct findings *found)
{
    if (list->nodes == 1 || !settings_places_measured(&process.settings))
        return;
    uint64_t *room = malloc(2 * (size_t)list->nodes * sizeof *room);
    if (pmpi_agreed(c->channel.comm, room != NULL, MPI_MIN) && room)
        found->survey = find_places(c, list, room);
    free(room);
}

/* ---- What is said of it ------------------------------------------------------------------------------------------------ */

/* Writes a place as places_read() takes it, but for equal parts in a row, as far as there is room; returns the length. */
static size_t put_place(char *to, size_t room, const struct places *t, int row)
{
    const struct place *place = &t->place[row];
    const bool plain = place->next - row == places_parts(t, row) + 1; /* its parts have none */
    size_t used = 0;
    if (plain)
        return (size_t)snprintf(to, room, "%d", place->end - place->first);
    for (int part = places_part(row); part < place->next && used < room; part = t->place[part].next) {
        bool list = places_parts(t, part) > 0 && t->place[part].next - part > places_parts(t, part) + 1;
        used += (size_t)snprintf(to + used, room - used, "%s%s",
                                 part == places_part(row) ? ""
                                 : place->line            ? "-"
                                                          : ",",
                                 list ? "(" : "");
        used += used < room ? put_place(to + used, room - used, t, part) : 0;
        used += used < room && list ? (size_t)snprintf(to + used, room - used, ")") : 0;
    }
    return used;
}

const char *region_text(const struct places *t, char *text, size_t size)
{
    if (put_place(text, size, t, 0) >= size)
        memcpy(text + size - 3, "..", 3);
    return text;
}

/* ---- Inheriting ------------------------------------------------------------------------------------------------------- */

/* The part of a survey that is about c, with the paths of its ranks; NULL: no memory. */
static struct survey *part_of(const struct comm *c, const struct by_node *list, const struct findings *found, int *path)
{
    int *rank = findings_ranks(found, c->user, c->ranks), *host = malloc((size_t)list->nodes * sizeof *host);
    struct survey *part = NULL;
    if (rank && host) {
        for (int i = 0; i < list->nodes; i++)
            host[i] = found->node[rank[list->lead[i]]];
        part = survey_part(found->survey, host, list->nodes);
    }
    for (int r = 0; part && r < c->ranks; r++) {
        int *own = path + (size_t)r * PLACES_DEPTH;
        survey_path(part, list->node[r], own);
        own[part->depth] = list->node[r];
    }
    free(host);
    free(rank);
    return part;
}

void region_take(struct comm *c, const struct findings *found)
{
    struct nodes *n = &c->nodes;
    struct by_node list;
    struct places *places = NULL;
    if (!found->survey)
        return;
    int *path = calloc((size_t)c->ranks, PLACES_DEPTH * sizeof *path);
    bool listed = path && nodes_list(c, &list);
    struct survey *part = listed ? part_of(c, &list, found, path) : NULL;
    if (part)
        places = places_of(path, c->ranks, PLACES_DEPTH, part->sites);
    if (pmpi_agreed(c->user, places != NULL, MPI_MIN)) {
        places_free(n->places[SOURCE_MEASURED]);
        n->machine.places[SOURCE_MEASURED] = n->places[SOURCE_MEASURED] = places;
        memcpy(n->machine.reach, part->reach, sizeof part->reach);
        places = NULL;
    }
    places_free(places);
    free(part);
    if (listed)
        nodes_list_free(&list);
    free(path);
}
