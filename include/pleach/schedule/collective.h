/* SPDX-License-Identifier: BSD-2-Clause */
/* The collectives that Pleach knows. */
#ifndef PLEACH_COLLECTIVE_H
#define PLEACH_COLLECTIVE_H

#include <stdbool.h>

/* The order is that of the names in collective_name(). */
enum collective { COLL_BCAST, COLL_REDUCE, COLL_SCAN, COLL_EXSCAN, COLL_ALLREDUCE, COLLECTIVES };

/* Lower-case name of a collective ("bcast"), as in records, settings and on the command line. */
const char *collective_name(enum collective c);

/* Reads a collective's name in any case, with or without "MPI_"; false if it is none. */
bool collective_parse(const char *name, enum collective *c);

/* Does the collective have a root? */
bool collective_rooted(enum collective c);

/* May MPI let a rank of it, the root or another, write its receive buffer? */
bool collective_writes(enum collective c, int rank, int root);

#endif
