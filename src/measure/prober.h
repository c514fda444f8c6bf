/* SPDX-License-Identifier: BSD-2-Clause */
/* Pings and messages by MPI, for infer.h. */
#pragma once

#include "infer.h"
#include "limit.h"
#include "comm.h"

/* For the prober alone. A host is a node; its lowest rank measures. */
struct field {
    MPI_Comm comm;
    const struct node_list *nodes;
    struct limit *limit;
    int host;      /* -1: this rank does not measure */
    double *times; /* two for each probe of a batch, or one for each flow */
    struct under_way *way;
    char *buffer;  /* bytes to send, then those to receive */
    int64_t bytes; /* of each half of `buffer` */
};

/* Makes the prober, whose hosts are the nodes of c, and which gives up at the limit. field_close() frees. */
struct prober field_open(struct field *field, const struct comm *c, struct limit *limit);
void field_close(struct field *field);
