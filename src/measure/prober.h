/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends pings and other messages by MPI, for the inference of places (infer.h). */
#pragma once

#include "infer.h"
#include "limit.h"
#include "comm.h"

/*
 * The data of a prober. A private communicator carries its messages. A host is a node, and has its number. The lowest rank
 * of each node measures. Callers do not use the fields.
 */
struct field {
    MPI_Comm comm;
    const struct node_list *nodes;
    struct limit *limit;
    int host;              /* this rank's host if the rank measures, else -1 */
    double *times;         /* results of a batch: two numbers for each probe, or one for each flow */
    struct under_way *way; /* room for the probes that are under way at once */
    char *buffer;          /* for an exchange: the bytes to send, then those to receive */
    int64_t bytes;         /* bytes of each half of `buffer` */
};

/*
 * Makes the prober for this field, whose hosts are the nodes of c. The prober gives up when it reaches the limit.
 * field_close() frees the prober's memory.
 */
struct prober field_open(struct field *field, const struct comm *c, struct limit *limit);
void field_close(struct field *field);
