/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures over MPI for the inference of places. */
#ifndef PLEACH_PROBER_H
#define PLEACH_PROBER_H

#include "infer.h"
#include "limit.h"
#include "nodes.h"

/*
 * A private communicator carries the messages. Hosts are the nodes, by their numbers in `list`; the lowest rank of
 * each measures. The rest is the prober's own.
 */
struct field {
    MPI_Comm comm;
    const struct by_node *list;
    struct limit *limit;
    int host;      /* this rank's, if it measures; else -1 */
    double *times; /* results of a batch: two numbers a probe, one a flow */
    char *buffer;  /* of an exchange: what is sent, and what is received */
    int64_t bytes; /* of each */
};

/*
 * The prober for this field. It gives up when it reaches the limit, which it raises if round trips are long. field_close()
 * frees what it has got.
 */
struct prober field_open(struct field *field, MPI_Comm comm, const struct by_node *list, struct limit *limit);
void field_close(struct field *field);

#endif
