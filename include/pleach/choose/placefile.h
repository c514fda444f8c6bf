/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of places, in which the user says which hosts, or ranks, are near each other.
 *
 *     # two sites, far from each other; one has racks
 *     sites
 *     node17    paris/rack3
 *     node18    paris/rack4
 *     node23    lyon
 *     rank 0-3  nancy/a         ranks of MPI_COMM_WORLD, wherever they run
 *
 * A line names a host and its place: the names of nested places, outermost first. The first line that fits counts. If no
 * line names a host's place on some level, that place is the host's own: node23's rack, or any place of a host without a
 * line. The file does not name nodes: they are the innermost places. Pure.
 */
#ifndef PLEACH_PLACEFILE_H
#define PLEACH_PLACEFILE_H

#include "places.h"

/* Most nested places that a line names: those around nodes. PLACE_OWN: the host's own place. */
enum { PLACE_NAMES = PLACES_DEPTH - 1, PLACE_OWN = -1 };

struct placefile;

/*
 * Parses the text of a file. NULL: line number *line, from 1, is wrong, and `why` gives the reason in a few words; or there
 * is no memory, and *line is 0. To be freed with placefile_free().
 */
struct placefile *placefile_parse(const char *text, int *line, char *why, size_t size);
void placefile_free(struct placefile *f);

/*
 * The places of a host's rank, outermost first: numbers below placefile_places(), or PLACE_OWN. A host's name may have its
 * domain or not.
 */
void placefile_path(const struct placefile *f, const char *host, int rank, int path[PLACE_NAMES]);
int placefile_places(const struct placefile *f);

/* Does the file say that the outermost places are sites, far from each other? */
bool placefile_sites(const struct placefile *f);

#endif
