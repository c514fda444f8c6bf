/* SPDX-License-Identifier: BSD-2-Clause */
/* Envelopes of datatypes; see contents.h. */
#include "contents.h"
#include "datatype.h"
#include "handles.h"

struct envelope envelope_of(MPI_Datatype type)
{
    struct envelope e = {0};
    int ints, aints, types;
    if (pmpi.Type_get_envelope_c && pmpi.Type_get_contents_c) {
        pmpi.Type_get_envelope_c(type, &e.ints, &e.aints, &e.counts, &e.types, &e.combiner);
    } else {
        pmpi.Type_get_envelope(type, &ints, &aints, &types, &e.combiner);
        e.ints = ints, e.aints = aints, e.types = types;
    }
    return e;
}

bool combiner_is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
           combiner == MPI_COMBINER_F90_INTEGER || combiner == MPI_COMBINER_VALUE_INDEX;
}

bool type_is_predefined(MPI_Datatype type)
{
    return handle_is_of_mpi(type) || combiner_is_predefined(envelope_of(type).combiner);
}

bool contents_of_pair(MPI_Datatype type, MPI_Datatype part[2])
{
    int ints[1];
    MPI_Aint aints[1];
    return envelope_of(type).combiner == MPI_COMBINER_VALUE_INDEX &&
           pmpi.Type_get_contents(type, 0, 0, 2, ints, aints, part) == MPI_SUCCESS;
}
