/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding datatypes into trees of runs; see decode.h. */
#include "decode.h"

#include "datatype.h"

#include <stdlib.h>

/* The contents of a datatype: integers, then addresses, then large counts, in one array, as its constructor took them. */
struct contents {
    int combiner;
    bool large; /* made by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
};

ptrdiff_t extent_of(MPI_Datatype type)
{
    MPI_Count lb = 0, extent = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    return (ptrdiff_t)extent;
}

/* `length` consecutive elements of a type. */
static const struct node *blockof(struct typemap *t, int64_t length, MPI_Datatype type)
{
    return tree_repeat(t, length, extent_of(type), decode(t, type));
}

/* The sizes of a datatype's contents; combiner. MPI 4 has one call for all types, its predecessors know no large counts. */
struct envelope {
    MPI_Count ints, aints, counts, types;
    int combiner;
};

static struct envelope envelope_of(MPI_Datatype type)
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

static bool is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
           combiner == MPI_COMBINER_F90_INTEGER;
}

bool type_is_predefined(MPI_Datatype type)
{
    return is_predefined(envelope_of(type).combiner);
}

struct extents type_extents(MPI_Datatype type)
{
    MPI_Count lb = 0, extent = 0, low = 0, width = 0, size = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    pmpi.Type_get_true_extent_x(type, &low, &width);
    pmpi.Type_size_x(type, &size);
    return (struct extents){size, extent, low, width, extent == size && type_is_predefined(type)};
}

/* The combiner and contents of a derived type; false for one that MPI itself defines, or if memory is short. */
static bool open_type(struct typemap *t, MPI_Datatype type, struct contents *c)
{
    const struct envelope e = envelope_of(type);
    MPI_Count ni = e.ints, na = e.aints, nl = e.counts, nt = e.types;
    if (is_predefined(e.combiner))
        return false;

    c->combiner = e.combiner;
    /* In one piece: values and addresses first, which need the best alignment. */
    size_t values = (size_t)(ni + na + nl);
    c->v = malloc(values * sizeof(int64_t) + (size_t)na * sizeof(MPI_Aint) + (size_t)nl * sizeof(MPI_Count) +
                  (size_t)nt * sizeof(MPI_Datatype) + (size_t)ni * sizeof(int) + 1);
    if (!c->v) {
        t->failed = true;
        return false;
    }
    MPI_Aint *aints = (MPI_Aint *)(c->v + values);
    MPI_Count *counts = (MPI_Count *)(aints + na);
    c->type = (MPI_Datatype *)(counts + nl);
    int *ints = (int *)(c->type + nt);
    if (pmpi.Type_get_envelope_c && pmpi.Type_get_contents_c)
        pmpi.Type_get_contents_c(type, ni, na, nl, nt, ints, aints, counts, c->type);
    else
        pmpi.Type_get_contents(type, (int)ni, (int)na, (int)nt, ints, aints, c->type);
    for (MPI_Count k = 0; k < ni; k++)
        c->v[k] = ints[k];
    for (MPI_Count k = 0; k < na; k++)
        c->v[ni + k] = aints[k];
    for (MPI_Count k = 0; k < nl; k++)
        c->v[ni + na + k] = counts[k];
    c->large = nl > 0;
    c->types = (int)nt;
    return true;
}

/* Frees the contents, and the handles that MPI_Type_get_contents made. */
static void close_type(struct contents *c)
{
    for (int k = 0; k < c->types; k++)
        if (!type_is_predefined(c->type[k]))
            pmpi.Type_free(&c->type[k]);
    free(c->v);
}

MPI_Datatype basic_of(MPI_Datatype type)
{
    struct typemap t = {0};
    struct contents c = {0};
    if (!open_type(&t, type, &c))
        return t.failed ? MPI_DATATYPE_NULL : type;
    MPI_Datatype basic = c.types > 0 ? basic_of(c.type[0]) : MPI_DATATYPE_NULL;
    for (int k = 1; k < c.types && basic != MPI_DATATYPE_NULL; k++)
        if (basic_of(c.type[k]) != basic)
            basic = MPI_DATATYPE_NULL;
    close_type(&c);
    return basic;
}

/* A type that MPI defines: one run, but for the pair type that has a gap between its parts. */
static const struct node *named(struct typemap *t, MPI_Datatype type)
{
    MPI_Count size = 0;
    pmpi.Type_size_x(type, &size);
    if (size <= 0)
        return &tree_empty;
    if (type != MPI_SHORT_INT)
        return tree_run(t, 0, size);
    struct pair {
        short value;
        int index;
    };
    struct list l = list_begin(t, 2);
    list_add(t, &l, 0, tree_run(t, 0, sizeof(short)));
    list_add(t, &l, offsetof(struct pair, index), tree_run(t, 0, sizeof(int)));
    return list_end(t, &l);
}

/*
 * n blocks: the k-th has lengths[k] elements (lengths[0] if all are alike) of a type, and lies offset[k]*unit bytes from the
 * base.
 */
static const struct node *indexed(struct typemap *t, int64_t n, const int64_t *lengths, bool alike, const int64_t *offset,
                                  ptrdiff_t unit, MPI_Datatype type)
{
    struct {
        int64_t length;
        const struct node *block;
    } shared[64] = {{0}}; /* blocks of equal length share a node */
    const struct node *element = decode(t, type);
    ptrdiff_t extent = extent_of(type);
    struct list l = list_begin(t, n);
    for (int64_t k = 0; k < n; k++) {
        int64_t length = lengths[alike ? 0 : k];
        __typeof__(&shared[0]) slot = &shared[(uint64_t)length % (sizeof shared / sizeof shared[0])];
        if (!slot->block || slot->length != length) {
            slot->length = length;
            slot->block = tree_repeat(t, length, extent, element);
        }
        list_add(t, &l, (ptrdiff_t)offset[k] * unit, slot->block);
    }
    return list_end(t, &l);
}

static const struct node *structure(struct typemap *t, int64_t n, const int64_t *lengths, const int64_t *offset,
                                    const MPI_Datatype *type)
{
    struct list l = list_begin(t, n);
    for (int64_t k = 0; k < n; k++)
        list_add(t, &l, (ptrdiff_t)offset[k], blockof(t, lengths[k], type[k]));
    return list_end(t, &l);
}

/* A subarray: along each dimension, from the fastest to the slowest, `part` of `whole` elements, the first at `start`. */
static const struct node *subarray(struct typemap *t, int64_t dims, const int64_t *whole, const int64_t *part,
                                   const int64_t *start, bool c_order, MPI_Datatype type)
{
    const struct node *n = decode(t, type);
    ptrdiff_t stride = extent_of(type), first = 0;
    for (int64_t k = 0; k < dims; k++) {
        int64_t d = c_order ? dims - 1 - k : k;
        n = tree_repeat(t, part[d], stride, n);
        first += (ptrdiff_t)start[d] * stride;
        stride *= (ptrdiff_t)whole[d];
    }
    struct list l = list_begin(t, 1);
    list_add(t, &l, first, n);
    return list_end(t, &l);
}

/*
 * A process's part of a distributed array. Along each dimension it owns the blocks number coord, coord + procs, .. of the
 * blocks of equal size into which the dimension is cut; a dimension that is not distributed is one block.
 */
static const struct node *darray(struct typemap *t, int64_t rank, int64_t dims, const int64_t *whole, const int64_t *how,
                                 const int64_t *arg, const int64_t *procs, bool c_order, MPI_Datatype type)
{
    const struct node *n = decode(t, type);
    ptrdiff_t stride = extent_of(type);
    int64_t coord[64];
    if (dims > 64)
        return t->failed = true, &tree_empty;
    for (int64_t d = dims - 1; d >= 0; d--) { /* the grid of processes is in row-major order, always */
        coord[d] = rank % procs[d];
        rank /= procs[d];
    }
    for (int64_t k = 0; k < dims; k++) {
        int64_t d = c_order ? dims - 1 - k : k, size = arg[d];
        if (how[d] == MPI_DISTRIBUTE_NONE)
            size = whole[d];
        else if (arg[d] == MPI_DISTRIBUTE_DFLT_DARG)
            size = how[d] == MPI_DISTRIBUTE_BLOCK ? (whole[d] + procs[d] - 1) / procs[d] : 1;
        int64_t first = how[d] == MPI_DISTRIBUTE_NONE ? 0 : coord[d] * size, step = size * procs[d];
        struct list l = list_begin(t, first < whole[d] ? (whole[d] - first - 1) / step + 1 : 1);
        for (int64_t i = first; i < whole[d]; i += step)
            list_add(t, &l, (ptrdiff_t)i * stride, tree_repeat(t, i + size > whole[d] ? whole[d] - i : size, stride, n));
        n = list_end(t, &l);
        stride *= (ptrdiff_t)whole[d];
    }
    return n;
}

const struct node *decode(struct typemap *t, MPI_Datatype type)
{
    struct contents c = {0};
    const struct node *n = &tree_empty;
    if (!open_type(t, type, &c))
        return t->failed ? &tree_empty : named(t, type);
    const int64_t *v = c.v;
    MPI_Datatype old = c.type[0];
    switch (c.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        n = decode(t, old);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        n = blockof(t, v[0], old);
        break;
    case MPI_COMBINER_VECTOR:
        n = tree_repeat(t, v[0], (ptrdiff_t)v[2] * extent_of(old), blockof(t, v[1], old));
        break;
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER:
        n = tree_repeat(t, v[0], (ptrdiff_t)v[2], blockof(t, v[1], old));
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
        n = indexed(t, v[0], v + 1, false, v + 1 + v[0], c.combiner == MPI_COMBINER_INDEXED ? extent_of(old) : 1, old);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        n = indexed(t, v[0], v + 1, true, v + 2, c.combiner == MPI_COMBINER_INDEXED_BLOCK ? extent_of(old) : 1, old);
        break;
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_STRUCT_INTEGER:
        n = structure(t, v[0], v + 1, v + 1 + v[0], c.type);
        break;
    case MPI_COMBINER_SUBARRAY: {
        /* With large counts the order, an int, comes before the sizes. */
        const int64_t *sizes = v + (c.large ? 2 : 1);
        int64_t order = c.large ? v[1] : v[1 + 3 * v[0]];
        n = subarray(t, v[0], sizes, sizes + v[0], sizes + 2 * v[0], order == MPI_ORDER_C, old);
        break;
    }
    case MPI_COMBINER_DARRAY: {
        /* size, rank, dims, then [sizes,] distributions, arguments, processes, order [, sizes] */
        int64_t dims = v[2];
        const int64_t *how = v + 3 + (c.large ? 0 : dims), *whole = c.large ? v + 4 + 3 * dims : v + 3;
        n = darray(t, v[1], dims, whole, how, how + dims, how + 2 * dims, how[3 * dims] == MPI_ORDER_C, old);
        break;
    }
    default:
        t->failed = true;
    }
    close_type(&c);
    return n;
}
