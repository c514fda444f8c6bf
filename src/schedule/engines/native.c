/* SPDX-License-Identifier: BSD-2-Clause */
/* Native: the MPI library's own collective, an engine without a schedule. */
#include "engine.h"

const struct engine engine_native = {
    .name = "native",
    .summary = "the MPI library's own collective",
    .trees = 1,
    .serves = {[COLL_BCAST] = {.text.rounds = "q, or q+p-1 for 2m"},
               [COLL_REDUCE] = {.text.rounds = "q, or 2q for 2m"},
               [COLL_SCAN] = {.text.rounds = "q"},
               [COLL_EXSCAN] = {.text.rounds = "q"},
               [COLL_ALLREDUCE] = {.text.rounds = "h+2, or 2h+2 for 4m"}},
};
