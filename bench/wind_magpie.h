/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcast and reduction in the manner of MagPIe, for comparison. */
#pragma once

#include "wind_wire.h"

/* A call; the root is rank 0. */
struct wind_call {
    const struct wire *wire;
    const struct wind_machine *machine;
    int rank, ranks;
    MPI_Datatype type;
    MPI_Op op;      /* commutative */
    const void *in; /* operand of a reduction */
    void *out;      /* message of a broadcast; in a reduction, the rank's partial result or, on the root, the result */
    void *scratch;  /* of a reduction: memory for a block */
    int64_t units;  /* elements of the type */
    int64_t blocks; /* 1 .. units */
};

/* Collective. */
void wind_magpie_bcast(const struct wind_call *c);
void wind_magpie_reduce(const struct wind_call *c);
