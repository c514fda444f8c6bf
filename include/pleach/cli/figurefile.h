/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of `pleach figures`: a job, and its measured figures. The figures by which the library chooses stand in comments,
 * as settings can give only one set of figures, for all links.
 *
 *     # 4 ranks on 2 nodes, at most 2 on one; name and version of the MPI library
 *     # within a node: alpha 2.2e-06 s, hop 4.7e-07 s, gap 1e-07 s, jump 0 s, beta 9.4e-11 s/B, gamma 1.3e-10 s/B
 *     # through shared memory: wait 9e-08 s, copy 9.2e-11 s/B, stream 7e-11 s/B, spread 7e-11 s/B, fold 3e-11 s/B
 *     # between nodes: alpha ..
 *     # native bcast: 1.3 1.1 1.2 1.9 of its formula
 *     PLEACH_ALPHA=1e-07
 */
#pragma once

#include "machine.h"

#include <stdio.h>

/* Writes the comments. `mpi`: name and version of the MPI library. */
void figurefile_put(FILE *f, const struct machine *m, int ranks, const char *mpi);

/*
 * Reads the comments. Sets *ranks, and these fields of the machine: nodes, node_ranks, natives, figures, noisy, measured,
 * segment, native. Returns NULL, or what the text lacks.
 */
const char *figurefile_read(const char *text, struct machine *m, int *ranks);
