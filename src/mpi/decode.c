/* SPDX-License-Identifier: BSD-2-Clause */
/* See decode.h. */
#include "decode.h"

#include "contents.h"

ptrdiff_t extent_of(MPI_Datatype type)
{
    MPI_Count lb = 0, extent = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    return (ptrdiff_t)extent;
}

static const struct node *blockof(struct typemap *t, int64_t length, MPI_Datatype type, const struct node *element)
{
    return tree_repeat(t, length, extent_of(type), element);
}

/* One run, but for pairs with a gap. */
const struct node *decode_named(struct typemap *t, MPI_Datatype type)
{
    const uintptr_t handle = HANDLE_BITS(type);
    MPI_Datatype part[2] = {MPI_SHORT, MPI_INT};
    MPI_Count low = 0, width = 0, size = 0, second = 0;
    t->basic = !t->basic || t->basic == handle ? handle : HANDLE_BITS(MPI_DATATYPE_NULL);
    pmpi.Type_get_true_extent_x(type, &low, &width);
    pmpi.Type_size_x(type, &size);
    if (size <= 0)
        return &tree_empty;
    if (size == width)
        return tree_run(t, 0, size);
    if (type != MPI_SHORT_INT && !contents_of_pair(type, part)) {
        t->failed = true; /* unknown gap */
        return &tree_empty;
    }
    pmpi.Type_size_x(part[1], &second);
    struct list l = list_begin(t, 2);
    list_add(t, &l, 0, tree_run(t, 0, size - second));
    list_add(t, &l, (ptrdiff_t)(width - second), tree_run(t, 0, second));
    return list_end(t, &l);
}

/* Block k: lengths[k] elements (`alike`: lengths[0]), offset[k] * unit bytes from the base. */
static const struct node *indexed(struct typemap *t, int64_t n, const int64_t *lengths, bool alike, const int64_t *offset,
                                  ptrdiff_t unit, MPI_Datatype type, const struct node *element)
{
    struct {
        int64_t length;
        const struct node *block;
    } shared[64] = {{0}}; /* for blocks of equal length */
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
                                    const struct contents *c)
{
    struct list l = list_begin(t, n);
    for (int64_t k = 0; k < n; k++)
        list_add(t, &l, (ptrdiff_t)offset[k], blockof(t, lengths[k], c->type[k], c->of[k]));
    return list_end(t, &l);
}

/* In contents of arrays. Open MPI 6.0.0rc2 gives its own in the standard interface, too. */
static const struct order {
    int64_t c, fortran, none, block, any_size;
} orders[] = {
    {MPI_ORDER_C, MPI_ORDER_FORTRAN, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG},
    {0, 1, 2, 0, -1},
};

static const struct order *order_of(struct typemap *t, int64_t order)
{
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (order == orders[i].c || order == orders[i].fortran)
            return &orders[i];
    t->failed = true;
    return NULL;
}

/* part[d] of whole[d] elements from start[d] on; from the fastest dimension to the slowest. */
static const struct node *subarray(struct typemap *t, int64_t dims, const int64_t *whole, const int64_t *part,
                                   const int64_t *start, int64_t order, MPI_Datatype type, const struct node *n)
{
    const struct order *o = order_of(t, order);
    ptrdiff_t stride = extent_of(type), first = 0;
    for (int64_t k = 0; o && k < dims; k++) {
        int64_t d = order == o->c ? dims - 1 - k : k;
        n = tree_repeat(t, part[d], stride, n);
        first += (ptrdiff_t)start[d] * stride;
        stride *= (ptrdiff_t)whole[d];
    }
    struct list l = list_begin(t, 1);
    list_add(t, &l, first, n);
    return list_end(t, &l);
}

/* A process's part: of each dimension, cut into equal blocks, those of coord, coord + procs, ..; one if not distributed. */
static const struct node *darray(struct typemap *t, int64_t rank, int64_t dims, const int64_t *whole, const int64_t *how,
                                 const int64_t *arg, const int64_t *procs, int64_t order, MPI_Datatype type,
                                 const struct node *n)
{
    const struct order *o = order_of(t, order);
    ptrdiff_t stride = extent_of(type);
    int64_t *coord = tree_get(t, (size_t)dims * sizeof *coord);
    if (!coord || !o)
        return &tree_empty;
    for (int64_t d = dims - 1; d >= 0; d--) {
        coord[d] = rank % procs[d];
        rank /= procs[d];
    }
    for (int64_t k = 0; k < dims; k++) {
        int64_t d = order == o->c ? dims - 1 - k : k, size = arg[d];
        if (how[d] == o->none)
            size = whole[d];
        else if (arg[d] == o->any_size)
            size = how[d] == o->block ? (whole[d] + procs[d] - 1) / procs[d] : 1;
        const int64_t first = how[d] == o->none ? 0 : coord[d] * size, step = size * procs[d];
        const int64_t blocks = first < whole[d] ? (whole[d] - first - 1) / step + 1 : 0, last = first + (blocks - 1) * step;
        const bool cut = blocks > 0 && last + size > whole[d]; /* a smaller last block */
        struct list l = list_begin(t, 2);
        list_add(t, &l, (ptrdiff_t)first * stride,
                 tree_repeat(t, blocks - cut, (ptrdiff_t)step * stride, tree_repeat(t, size, stride, n)));
        list_add(t, &l, (ptrdiff_t)last * stride, tree_repeat(t, cut ? whole[d] - last : 0, stride, n));
        n = list_end(t, &l);
        stride *= (ptrdiff_t)whole[d];
    }
    return n;
}

const struct node *decode_derived(struct typemap *t, const struct contents *c)
{
    const int64_t *v = c->v;
    if (c->types == 0)
        return &tree_empty;
    const MPI_Datatype old = c->type[0];
    const struct node *element = c->of[0];
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return element;
    case MPI_COMBINER_CONTIGUOUS:
        return blockof(t, v[0], old, element);
    case MPI_COMBINER_VECTOR:
        return tree_repeat(t, v[0], (ptrdiff_t)v[2] * extent_of(old), blockof(t, v[1], old, element));
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER:
        return tree_repeat(t, v[0], (ptrdiff_t)v[2], blockof(t, v[1], old, element));
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
        return indexed(t, v[0], v + 1, false, v + 1 + v[0], c->combiner == MPI_COMBINER_INDEXED ? extent_of(old) : 1, old,
                       element);
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return indexed(t, v[0], v + 1, true, v + 2, c->combiner == MPI_COMBINER_INDEXED_BLOCK ? extent_of(old) : 1, old,
                       element);
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_STRUCT_INTEGER:
        return structure(t, v[0], v + 1, v + 1 + v[0], c);
    case MPI_COMBINER_SUBARRAY: {
        /* With large counts, the order comes before the sizes. */
        const int64_t *sizes = v + (c->large ? 2 : 1);
        int64_t order = c->large ? v[1] : v[1 + 3 * v[0]];
        return subarray(t, v[0], sizes, sizes + v[0], sizes + 2 * v[0], order, old, element);
    }
    case MPI_COMBINER_DARRAY: {
        /* size, rank, dims, [int sizes,] distributions, arguments, processes, order, [large sizes]. */
        int64_t dims = v[2];
        const int64_t *how = v + 3 + (c->large ? 0 : dims), *whole = c->large ? v + 4 + 3 * dims : v + 3;
        return darray(t, v[1], dims, whole, how, how + dims, how + 2 * dims, how[3 * dims], old, element);
    }
    default:
        t->failed = true;
        return &tree_empty;
    }
}
