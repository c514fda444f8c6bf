/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts of tuning files: templates, and the algorithms of MPI libraries; see export.h. */
#include "export.h"

#include "cli.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void fill_template(FILE *f, const char *template, const char *const value[])
{
    for (; *template; template ++)
        if (*template == '@')
            fputs(value[*++template - '0'], f);
        else
            fputc(*template, f);
}

char *join_text(const struct templates *level, const struct portion *part, int count, const char *standard)
{
    struct text t;
    FILE *f = text_begin(&t);
    char least[24], most[24];
    const char *between = "";
    snprintf(least, sizeof least, "%d", count);
    fill_template(f, level->begin, (const char *[]){least});
    for (int i = 0; i < count; i++) {
        const char *text = part[i].text ? part[i].text : level->none ? level->none : standard;
        if (!text)
            continue;
        snprintf(least, sizeof least, "%" PRId64, part[i].least);
        snprintf(most, sizeof most, "%" PRId64, part[i].most);
        fputs(between, f);
        fill_template(f, i < count - 1 ? level->part : level->last, (const char *[]){least, most, text, part[i].name});
        between = level->between;
    }
    fputs(level->end, f);
    return text_end(&t);
}

/* What libraries call an algorithm, if that is not NAME with '_' for '-'. */
static const struct {
    const char *name, *own;
} others[] = {{"in-order-binary", "in-order_binary"},
              {"tree-k4", "tree"},
              {"recursive-multiplying-k4", "recursive_multiplying"},
              {"recexch-k4", "recexch"}};

static void put_name(char *to, const char *name)
{
    size_t i = 0;
    while (i < sizeof others / sizeof *others && strcmp(others[i].name, name) != 0)
        i++;
    const bool other = i < sizeof others / sizeof *others;
    strcpy(to, other ? others[i].own : name);
    for (; *to && !other; to++)
        *to = (char)(*to == '-' ? '_' : *to);
}

/* ---- MPICH ------------------------------------------------------------------------------------------------------------ */

/* Conditions of an algorithm. The library does not check these conditions if a tuning file names the algorithm. */
enum {
    NEEDS_PARENT = 1,            /* several nodes, or several ranks on a node */
    NEEDS_CONSECUTIVE = 2,       /* consecutive ranks on each node */
    NEEDS_COMMUTATIVE = 4,       /* a commutative operation */
    NEEDS_BUILT_IN = 8,          /* an operation of MPI */
    NEEDS_ELEMENTS = 16,         /* at least 2^k elements, where 2^k is the largest power of two up to the number of ranks */
    NEEDS_COMMUTATIVE_THERE = 32 /* a commutative operation, in Open MPI alone */
};

/* What stands before an algorithm: the default (@0) where a need is not met, as the first condition that holds counts. */
static const struct guard {
    unsigned need;
    const char *text;
} guards[] = {
    {NEEDS_PARENT, "{\"comm_hierarchy=flat\":@0,\"comm_hierarchy=node\":@0,\"comm_hierarchy=node_roots\":@0,"
                   "\"comm_hierarchy=any\":"},
    {NEEDS_CONSECUTIVE, "{\"is_node_consecutive=no\":@0,\"is_node_consecutive=yes\":"},
    {NEEDS_COMMUTATIVE, "{\"is_commutative=no\":@0,\"is_commutative=yes\":"},
    {NEEDS_BUILT_IN, "{\"is_op_built_in=no\":@0,\"is_op_built_in=yes\":"},
    {NEEDS_ELEMENTS, "{\"count<pow2\":@0,\"count=any\":"},
};

/*
 * Releases from 4.1 on have algorithms with parameters. Where a variable names such an algorithm, the parameters come from
 * other variables. In a file they have no defaults, so the file has the defaults of these variables.
 */
#define TREE_COSTS                                                                                                          \
    "\"topo_overhead=200\":{},\"topo_diff_groups=2800\":{},\"topo_diff_switches=1900\":{},\"topo_same_switches=1600\":{}"

const struct own_algorithm own_algorithms[] = {
    {COLL_BCAST, "binomial", 0, 6, ""},
    {COLL_BCAST, "smp", NEEDS_PARENT, 0, ""},
    {COLL_BCAST, "scatter-recursive-doubling-allgather", 0, 0, ""},
    {COLL_BCAST, "scatter-ring-allgather", 0, 0, ""},
    {COLL_BCAST, "tree", 0, 0, "\"tree_type=kary\":{},\"k=2\":{},\"is_non_blocking=1\":{}," TREE_COSTS},
    {COLL_BCAST, "pipelined-tree", 0, 0,
     "\"tree_type=kary\":{},\"k=2\":{},\"is_non_blocking=1\":{},\"chunk_size=8192\":{},\"recv_pre_posted=0\":{}"},
    {COLL_REDUCE, "binomial", NEEDS_COMMUTATIVE_THERE, 5, ""},
    {COLL_REDUCE, "smp", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, ""},
    {COLL_REDUCE, "reduce-scatter-gather", NEEDS_BUILT_IN | NEEDS_ELEMENTS, 0, ""},
    {COLL_SCAN, "smp", NEEDS_CONSECUTIVE, 0, ""},
    {COLL_SCAN, "recursive-doubling", 0, 2, ""},
    {COLL_ALLREDUCE, "smp", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, ""},
    {COLL_ALLREDUCE, "recursive-doubling", 0, 3, ""},
    {COLL_ALLREDUCE, "recursive-multiplying", NEEDS_COMMUTATIVE, 0, "\"k=2\":{}"},
    {COLL_ALLREDUCE, "reduce-scatter-allgather", NEEDS_BUILT_IN | NEEDS_ELEMENTS, 0, ""},
    {COLL_ALLREDUCE, "ring", NEEDS_COMMUTATIVE, 4, ""},
    {COLL_ALLREDUCE, "tree", NEEDS_COMMUTATIVE, 0,
     "\"tree_type=knomial_1\":{},\"k=2\":{},\"chunk_size=0\":{},\"buffer_per_child=0\":{}," TREE_COSTS},
    {COLL_BCAST, "tree-k4", 0, 0, "\"tree_type=kary\":{},\"k=4\":{},\"is_non_blocking=1\":{}," TREE_COSTS},
    {COLL_ALLREDUCE, "tree-k4", NEEDS_COMMUTATIVE, 0,
     "\"tree_type=knomial_1\":{},\"k=4\":{},\"chunk_size=0\":{},\"buffer_per_child=0\":{}," TREE_COSTS},
    {COLL_ALLREDUCE, "recursive-multiplying-k4", NEEDS_COMMUTATIVE, 0, "\"k=4\":{}"},
    {COLL_ALLREDUCE, "recexch", 0, 0, "\"k=2\":{},\"single_phase_recv=0\":{}"},
    {COLL_ALLREDUCE, "recexch-k4", 0, 0, "\"k=4\":{},\"single_phase_recv=0\":{}"},
    {COLL_ALLREDUCE, "k-reduce-scatter-allgather", NEEDS_COMMUTATIVE, 0, "\"k=2\":{},\"single_phase_recv=0\":{}"},
    /* MPICH's tree has no compositions, so files leave them out. */
    {COLL_BCAST, "composition-alpha", NEEDS_PARENT, 0, ""},
    {COLL_BCAST, "composition-beta", NEEDS_PARENT, 0, ""},
    {COLL_BCAST, "composition-gamma", 0, 0, ""},
    {COLL_REDUCE, "composition-alpha", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, ""},
    {COLL_REDUCE, "composition-beta", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, ""},
    {COLL_REDUCE, "composition-gamma", 0, 0, ""},
    {COLL_ALLREDUCE, "composition-alpha", NEEDS_PARENT | NEEDS_COMMUTATIVE, 0, ""},
    {COLL_ALLREDUCE, "composition-beta", 0, 0, ""},
    {COLL_BCAST, "basic-linear", 0, 1, NULL},
    {COLL_BCAST, "chain", 0, 2, NULL},
    {COLL_BCAST, "pipeline", 0, 3, NULL},
    {COLL_BCAST, "binary-tree", 0, 5, NULL},
    {COLL_BCAST, "knomial", 0, 7, NULL},
    {COLL_REDUCE, "linear", 0, 1, NULL},
    {COLL_REDUCE, "chain", NEEDS_COMMUTATIVE_THERE, 2, NULL},
    {COLL_REDUCE, "pipeline", NEEDS_COMMUTATIVE_THERE, 3, NULL},
    {COLL_REDUCE, "binary", NEEDS_COMMUTATIVE_THERE, 4, NULL},
    {COLL_REDUCE, "in-order-binary", 0, 6, NULL},
    {COLL_REDUCE, "rabenseifner", NEEDS_COMMUTATIVE_THERE, 7, NULL},
    {COLL_SCAN, "linear", 0, 1, NULL},
    {COLL_EXSCAN, "linear", 0, 1, NULL},
    {COLL_EXSCAN, "recursive-doubling", 0, 2, NULL},
    {COLL_ALLREDUCE, "basic-linear", 0, 1, NULL},
    {COLL_ALLREDUCE, "nonoverlapping", 0, 2, NULL},
    {COLL_ALLREDUCE, "segmented-ring", NEEDS_COMMUTATIVE_THERE, 5, NULL},
    {COLL_ALLREDUCE, "rabenseifner", NEEDS_COMMUTATIVE_THERE, 6, NULL},
    {0},
};

size_t put_function(const struct own_algorithm *own, char to[96])
{
    const int length = snprintf(to, 96, "MPIR_%s_intra_", collective_traits[own->collective].function + strlen("MPI_"));
    put_name(to + length, own->name);
    return strlen(to);
}

char *leaf_text(const struct format *format, const struct own_algorithm *own, const char *standard)
{
    struct text t;
    FILE *f = text_begin(&t);
    char name[96], number[24];
    int open = 1;
    snprintf(number, sizeof number, "%d", own->number);
    if (format->leaf) {
        put_name(name, own->name);
        fill_template(f, format->leaf, (const char *[]){name, number});
        return text_end(&t);
    }
    for (const struct guard *g = guards; g < guards + sizeof guards / sizeof *guards; g++)
        if (own->needs & g->need) {
            fill_template(f, g->text, &standard);
            open++;
        }
    put_function(own, name);
    fprintf(f, "{\"algorithm=%s\":{%s}", name, own->parameters);
    while (open--)
        fputc('}', f);
    return text_end(&t);
}
