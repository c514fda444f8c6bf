/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of places, in which the user says which hosts, or ranks, are near each other.
 *
 *     # three sites, far from each other; one has racks
 *     sites
 *     node17    paris/rack3
 *     node18    paris/rack4
 *     node23    lyon
 *     rank 0-3  nancy/a         ranks of MPI_COMM_WORLD, wherever they run
 *
 * A line names a host and its nested places, outermost first. If several lines fit a host, the first one counts. If a line
 * names no place on some level, the host has a place of its own there: above, node23 is alone in its rack. A host without a
 * line is alone on every level. The file does not name nodes: they are the innermost places. Pure.
 */
#pragma once

#include "place_tree.h"

/* PLACE_NAMES: most nested places in a line. PLACE_OWN: a place that the host has for itself. */
enum { PLACE_NAMES = PLACES_DEPTH - 1, PLACE_OWN = -1 };

struct placefile;

/*
 * Parses the text of a file. The caller frees the result with placefile_free(). Returns NULL if a line is wrong: *line is
 * its number, from 1, and `why` gives the reason in a few words. Returns NULL with *line = 0 if memory runs out.
 */
struct placefile *placefile_parse(const char *text, int *line, char *why, size_t size);
void placefile_free(struct placefile *f);

/*
 * Sets `path` to the places of a rank (of MPI_COMM_WORLD) on a host, outermost first: numbers below placefile_places(), or
 * PLACE_OWN. The host's name may include its domain.
 */
void placefile_path(const struct placefile *f, const char *host, int rank, int path[PLACE_NAMES]);
int placefile_places(const struct placefile *f);

/* Does the file say that the outermost places are sites, far from each other? */
bool placefile_sites(const struct placefile *f);
