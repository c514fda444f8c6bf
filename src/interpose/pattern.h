/* SPDX-License-Identifier: BSD-2-Clause */
/* From a datatype to what first_difference() wants to know of its numbers. */
#ifndef PLEACH_PATTERN_H
#define PLEACH_PATTERN_H

#include "compare.h"
#include "pmpi.h"

/* Opaque bytes, if the type has data of several basic types, or of one that is not known here. */
struct pattern pattern_of(MPI_Datatype type);

#endif
