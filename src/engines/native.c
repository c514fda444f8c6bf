/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Native: the MPI library's own collectives, engines without a schedule. `native' leaves the algorithm to the MPI library.
 * `native:NAME' makes it use the algorithm NAME, which is the MPI library's own name with '-' for '_' (mpi/algorithms.c).
 *
 * Algorithms are left out that cut a broadcast by the number of its elements, as ranks may count different ones.
 *
 * A library may lack an algorithm, or have no way to switch to it. It may also replace an algorithm that does not fit a
 * call. So the model knows nothing of the engines `native:NAME': they serve where trials have found them best, or where a
 * setting or a rule names them.
 */
#include "engine.h"

const struct engine engine_native = {
    .name = "native",
    .summary = "the MPI library's own collective",
    .serves = {[COLL_BCAST] = {.text.rounds = "q, or q+p-1 for 2m"},
               [COLL_REDUCE] = {.text.rounds = "q, or 2q for 2m"},
               [COLL_SCAN] = {.text.rounds = "q"},
               [COLL_EXSCAN] = {.text.rounds = "q"},
               [COLL_ALLREDUCE] = {.text.rounds = "h+2, or 2h+2 for 4m"}},
};

#define SERVES_IF(need, collective, bound)                                                                                  \
    [COLL_##collective] = {.text.rounds = bound, .needs = need, .model.reference = true}
#define SERVES(collective, bound) SERVES_IF(NEED_NOTHING, collective, bound)
/* A library may let operands change places, and does not check whether the operation allows that. */
#define COMMUTES(collective, bound) SERVES_IF(NEED_COMMUTATIVE, collective, bound)
#define ALGORITHM(id, text, made, ...)                                                                                      \
    const struct engine engine_native_##id = {.name = "native:" text,                                                       \
                                              .summary = "the MPI library's algorithm of that name",                        \
                                              .made_for = MADE_FOR_##made,                                                  \
                                              .algorithm = ALGORITHM_##id,                                                  \
                                              .serves = {__VA_ARGS__}};

ALGORITHM(binomial, "binomial", ALL, SERVES(BCAST, "q"), COMMUTES(REDUCE, "q"))
ALGORITHM(smp, "smp", MANY_A_NODE, SERVES(BCAST, "2q"), SERVES(REDUCE, "2q"), SERVES(SCAN, "3q"), SERVES(ALLREDUCE, "3q"))
ALGORITHM(scatter_doubling, "scatter-recursive-doubling-allgather", ALL, SERVES(BCAST, "2q for 2m"))
ALGORITHM(scatter_ring, "scatter-ring-allgather", ALL, SERVES(BCAST, "q+p-1 for 2m"))
ALGORITHM(reduce_scatter_gather, "reduce-scatter-gather", ALL, SERVES(REDUCE, "2q for 2m"))
ALGORITHM(recursive_doubling, "recursive-doubling", ALL, SERVES(SCAN, "q"), SERVES(EXSCAN, "q"), SERVES(ALLREDUCE, "h+2"))
ALGORITHM(reduce_scatter_allgather, "reduce-scatter-allgather", ALL, SERVES(ALLREDUCE, "2h+2 for 4m"))
ALGORITHM(tree, "tree", ALL, SERVES(BCAST, "2q"), SERVES(ALLREDUCE, "4q"))
ALGORITHM(pipelined_tree, "pipelined-tree", ALL, SERVES(BCAST, "2q+2n"))
ALGORITHM(ring, "ring", ALL, COMMUTES(ALLREDUCE, "2p-2 for 4m"))
ALGORITHM(recursive_multiplying, "recursive-multiplying", ALL, SERVES(ALLREDUCE, "q"))
ALGORITHM(linear, "linear", ALL, SERVES(REDUCE, "p-1"), SERVES(SCAN, "p-1"), SERVES(EXSCAN, "p-1"))
ALGORITHM(basic_linear, "basic-linear", ALL, SERVES(BCAST, "p-1"), SERVES(ALLREDUCE, "2p-2"))
ALGORITHM(chain, "chain", ALL, SERVES(BCAST, "p/4+3"), COMMUTES(REDUCE, "p/4+3"))
ALGORITHM(pipeline, "pipeline", ALL, SERVES(BCAST, "p-1"), COMMUTES(REDUCE, "p-1"))
ALGORITHM(binary_tree, "binary-tree", ALL, SERVES(BCAST, "2q"))
ALGORITHM(binary, "binary", ALL, COMMUTES(REDUCE, "2q"))
ALGORITHM(in_order_binary, "in-order-binary", ALL, SERVES(REDUCE, "2q"))
ALGORITHM(knomial, "knomial", ALL, SERVES(BCAST, "2q"))
ALGORITHM(rabenseifner, "rabenseifner", ALL, COMMUTES(REDUCE, "2q for 2m"), COMMUTES(ALLREDUCE, "2h+2 for 4m"))
ALGORITHM(nonoverlapping, "nonoverlapping", ALL, SERVES(ALLREDUCE, "2q"))
ALGORITHM(segmented_ring, "segmented-ring", ALL, COMMUTES(ALLREDUCE, "2p-2 for 4m"))
ALGORITHM(recexch, "recexch", ALL, SERVES(ALLREDUCE, "h+2"))
ALGORITHM(k_reduce_scatter_allgather, "k-reduce-scatter-allgather", ALL, COMMUTES(ALLREDUCE, "2h+2 for 4m"))
ALGORITHM(tree_k4, "tree-k4", ALL, SERVES(BCAST, "2q"), SERVES(ALLREDUCE, "4q"))
ALGORITHM(recursive_multiplying_k4, "recursive-multiplying-k4", ALL, SERVES(ALLREDUCE, "q"))
ALGORITHM(recexch_k4, "recexch-k4", ALL, SERVES(ALLREDUCE, "h+2"))
ALGORITHM(composition_alpha, "composition-alpha", MANY_A_NODE, SERVES(BCAST, "2q"), SERVES(REDUCE, "2q"),
          SERVES(ALLREDUCE, "3q"))
ALGORITHM(composition_beta, "composition-beta", MANY_A_NODE, SERVES(BCAST, "2q"), SERVES(REDUCE, "2q"),
          SERVES(ALLREDUCE, "2h+2 for 4m"))
ALGORITHM(composition_gamma, "composition-gamma", MANY_A_NODE, SERVES(BCAST, "q+p-1 for 2m"),
          SERVES(REDUCE, "2q for 2m"))
