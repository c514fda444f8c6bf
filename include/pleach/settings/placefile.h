/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of places, by which users say which hosts, or ranks, are near each other. Pure.
 *
 *     # three sites, far from each other; one has racks
 *     sites
 *     node17    paris/rack3
 *     node18    paris/rack4
 *     node23    lyon
 *     rank 0-3  nancy/a         ranks of MPI_COMM_WORLD, wherever they run
 *
 * The first line that fits a host counts. On a level without a name, and on all without a line, a host is alone: node23 in
 * its rack. Nodes are the innermost places, not in the file.
 */
#pragma once

#include "place_tree.h"

/* Most places in a line; the host's own place. */
enum { PLACE_NAMES = PLACES_DEPTH - 1, PLACE_OWN = -1 };

struct placefile;

/* Returns the parsed text, for placefile_free(). NULL: *line is the wrong line, for the reason; 0: memory runs out. */
struct placefile *placefile_parse(const char *text, int *line, char *why, size_t size);
void placefile_free(struct placefile *f);

/*
 * Sets `path` to the places of a rank of MPI_COMM_WORLD on a host, perhaps with its domain: outermost first, numbers below
 * placefile_places(), or PLACE_OWN.
 */
void placefile_path(const struct placefile *f, const char *host, int rank, int path[PLACE_NAMES]);
int placefile_places(const struct placefile *f);

bool placefile_sites(const struct placefile *f);
