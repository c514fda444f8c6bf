/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of places: which hosts, or ranks, are near each other, as the user says it.
 *
 *     # two sites, far from each other; one has racks
 *     sites
 *     node17    paris/rack3
 *     node18    paris/rack4
 *     node23    lyon
 *     rank 0-3  nancy/a         ranks of MPI_COMM_WORLD, wherever they run
 *
 * A line names a host and its place: the names of places in one another, outermost first. The first line that fits counts.
 * A place that a host is in but no line names, such as node23's rack, or that of a host without a line, is the host's own.
 * Nodes are not written: they are the innermost places of all. Pure.
 */
#ifndef PLEACH_PLACEFILE_H
#define PLEACH_PLACEFILE_H

#include "places.h"

/* Most places in one another that a line names: around nodes. PLACE_OWN: the host's own. */
enum { PLACE_NAMES = PLACES_DEPTH - 1, PLACE_OWN = -1 };

struct placefile;

/*
 * Parses the text of a file. NULL: *line, counted from 1, is wrong, and `why` says it in a few words; or there is no memory,
 * and *line is 0. To be freed with placefile_free().
 */
struct placefile *placefile_parse(const char *text, int *line, char *why, size_t size);
void placefile_free(struct placefile *f);

/*
 * The places of a host's rank, outermost first: numbers below placefile_places(), or PLACE_OWN. Names of a host with a
 * domain and without one are the same.
 */
void placefile_path(const struct placefile *f, const char *host, int rank, int path[PLACE_NAMES]);
int placefile_places(const struct placefile *f);

/* Does the file say that the outermost places are sites, far from each other? */
bool placefile_sites(const struct placefile *f);

#endif
