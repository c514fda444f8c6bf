/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of native calls by the MPI library; see model.h. */
#include "native_model.h"

#include "model.h"

double native_seconds(const struct facts *f, const struct figures *g, const struct figures *node)
{
    return f->machine->natives == NATIVES_MPICH ? native_mpich(f, g, node) : native_openmpi(f, g, node);
}
