/* SPDX-License-Identifier: BSD-2-Clause */
/* Datatypes as trees of runs; see typemap.h. */
#include "typemap.h"

#include <stdlib.h>
#include <string.h>

enum node_kind {
    NODE_RUN,    /* `bytes` consecutive bytes, `at` behind the base */
    NODE_REPEAT, /* `count` times `child`, each `stride` bytes behind the one before */
    NODE_LIST    /* `count` entries */
};

/* A part of a list: `child`, moved by `at`, which begins `before` bytes into the list's stream. */
struct entry {
    ptrdiff_t at;
    int64_t before;
    const struct node *child;
};

struct node {
    enum node_kind kind;
    int64_t bytes; /* in the stream; > 0 but for an empty list */
    ptrdiff_t at, stride;
    int64_t count;
    const struct node *child;
    const struct entry *entry;
};

/* Memory of a typemap: pieces that are freed together. */
struct piece_of_memory {
    struct piece_of_memory *next;
    max_align_t data[];
};

struct typemap {
    struct piece_of_memory *memory;
    bool failed; /* some piece could not be had */
    const struct node *root;
};

/* ---- building ------------------------------------------------------------------------------------------------------ */

static const struct node empty = {.kind = NODE_LIST};

static void *get(struct typemap *t, size_t size)
{
    struct piece_of_memory *m = malloc(sizeof *m + size);
    if (!m) {
        t->failed = true;
        return NULL;
    }
    m->next = t->memory;
    t->memory = m;
    return m->data;
}

static const struct node *make(struct typemap *t, struct node n)
{
    struct node *p = get(t, sizeof *p);
    if (!p)
        return &empty;
    *p = n;
    return p;
}

static const struct node *repeat(struct typemap *t, int64_t count, ptrdiff_t stride, const struct node *child)
{
    if (count <= 0 || child->bytes == 0)
        return &empty;
    if (count == 1)
        return child;
    if (child->kind == NODE_RUN && stride == child->bytes)
        return make(t, (struct node){.kind = NODE_RUN, .bytes = count * child->bytes, .at = child->at});
    return make(t, (struct node){.kind = NODE_REPEAT, .bytes = count * child->bytes, .stride = stride, .count = count,
                                 .child = child});
}

/* A list in the making: entries come in the order of the stream; neighbours that touch in memory become one. */
struct list {
    struct entry *entry;
    int64_t count, bytes;
};

static struct list list_begin(struct typemap *t, int64_t most)
{
    return (struct list){.entry = get(t, (size_t)most * sizeof(struct entry))};
}

static void list_add(struct typemap *t, struct list *l, ptrdiff_t at, const struct node *child)
{
    if (!l->entry || child->bytes == 0)
        return;
    struct entry *last = l->count ? &l->entry[l->count - 1] : NULL;
    if (last && last->child->kind == NODE_RUN && child->kind == NODE_RUN &&
        last->at + last->child->at + last->child->bytes == at + child->at) {
        struct node run = *last->child;
        run.bytes += child->bytes;
        last->child = make(t, run);
    } else {
        l->entry[l->count++] = (struct entry){at, l->bytes, child};
    }
    l->bytes += child->bytes;
}

static const struct node *list_end(struct typemap *t, const struct list *l)
{
    if (l->count == 0)
        return &empty;
    const struct entry *only = &l->entry[0];
    if (l->count == 1 && only->at == 0)
        return only->child;
    if (l->count == 1 && only->child->kind == NODE_RUN)
        return make(t, (struct node){.kind = NODE_RUN, .bytes = l->bytes, .at = only->at + only->child->at});
    return make(t, (struct node){.kind = NODE_LIST, .bytes = l->bytes, .count = l->count, .entry = l->entry});
}

/* ---- decoding ------------------------------------------------------------------------------------------------------ */

/* The contents of a datatype: integers, then addresses, then large counts, in one array, as its constructor took them. */
struct contents {
    int combiner;
    bool large; /* made by a constructor with large counts */
    int64_t *v;
    int types;
    MPI_Datatype *type;
};

static const struct node *decode(struct typemap *t, MPI_Datatype type);

static ptrdiff_t extent_of(MPI_Datatype type)
{
    MPI_Count lb = 0, extent = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    return (ptrdiff_t)extent;
}

/* `length` consecutive elements of a type. */
static const struct node *blockof(struct typemap *t, int64_t length, MPI_Datatype type)
{
    return repeat(t, length, extent_of(type), decode(t, type));
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

int64_t type_span(MPI_Datatype type, int64_t count, ptrdiff_t *origin)
{
    MPI_Count lb = 0, extent = 0, low = 0, width = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    pmpi.Type_get_true_extent_x(type, &low, &width);
    int64_t reach = (count - 1) * (int64_t)extent; /* from the first element to the last; a negative extent goes down */
    *origin = (ptrdiff_t)(-low - (reach < 0 ? reach : 0));
    return (reach < 0 ? -reach : reach) + (int64_t)width;
}

/* The combiner and contents of a derived type; false for one that MPI itself defines, or if memory is short. */
static bool open_type(struct typemap *t, MPI_Datatype type, struct contents *c)
{
    const struct envelope e = envelope_of(type);
    MPI_Count ni = e.ints, na = e.aints, nl = e.counts, nt = e.types;
    if (is_predefined(e.combiner))
        return false;

    c->combiner = e.combiner;
    int *ints = get(t, (size_t)ni * sizeof(int));
    MPI_Aint *aints = get(t, (size_t)na * sizeof(MPI_Aint));
    MPI_Count *counts = get(t, (size_t)nl * sizeof(MPI_Count));
    c->type = get(t, (size_t)nt * sizeof(MPI_Datatype));
    c->v = get(t, (size_t)(ni + na + nl) * sizeof(int64_t));
    if (t->failed)
        return false;
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

/* Frees the handles that MPI_Type_get_contents made. */
static void close_type(struct contents *c)
{
    for (int k = 0; k < c->types; k++)
        if (!type_is_predefined(c->type[k]))
            pmpi.Type_free(&c->type[k]);
}

/* A type that MPI defines: one run, but for the pair type that has a gap between its parts. */
static const struct node *named(struct typemap *t, MPI_Datatype type)
{
    MPI_Count size = 0;
    pmpi.Type_size_x(type, &size);
    if (size <= 0)
        return &empty;
    if (type != MPI_SHORT_INT)
        return make(t, (struct node){.kind = NODE_RUN, .bytes = size});
    struct pair {
        short value;
        int index;
    };
    struct list l = list_begin(t, 2);
    list_add(t, &l, 0, make(t, (struct node){.kind = NODE_RUN, .bytes = sizeof(short)}));
    list_add(t, &l, offsetof(struct pair, index), make(t, (struct node){.kind = NODE_RUN, .bytes = sizeof(int)}));
    return list_end(t, &l);
}

/*
 * n blocks: the k-th has lengths[k] elements (lengths[0] if all are alike) of a type, and lies at[k]*unit bytes from the
 * base.
 */
static const struct node *indexed(struct typemap *t, int64_t n, const int64_t *lengths, bool alike, const int64_t *at,
                                  ptrdiff_t unit, MPI_Datatype type)
{
    const struct node *element = decode(t, type), *block = NULL;
    ptrdiff_t extent = extent_of(type);
    struct list l = list_begin(t, n);
    for (int64_t k = 0; k < n; k++) {
        if (k == 0 || (!alike && lengths[k] != lengths[k - 1]))
            block = repeat(t, lengths[alike ? 0 : k], extent, element);
        list_add(t, &l, (ptrdiff_t)at[k] * unit, block);
    }
    return list_end(t, &l);
}

static const struct node *structure(struct typemap *t, int64_t n, const int64_t *lengths, const int64_t *at,
                                    const MPI_Datatype *type)
{
    struct list l = list_begin(t, n);
    for (int64_t k = 0; k < n; k++)
        list_add(t, &l, (ptrdiff_t)at[k], blockof(t, lengths[k], type[k]));
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
        n = repeat(t, part[d], stride, n);
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
        return t->failed = true, &empty;
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
            list_add(t, &l, (ptrdiff_t)i * stride, repeat(t, i + size > whole[d] ? whole[d] - i : size, stride, n));
        n = list_end(t, &l);
        stride *= (ptrdiff_t)whole[d];
    }
    return n;
}

static const struct node *decode(struct typemap *t, MPI_Datatype type)
{
    struct contents c = {0};
    const struct node *n = &empty;
    if (!open_type(t, type, &c))
        return t->failed ? &empty : named(t, type);
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
        n = repeat(t, v[0], (ptrdiff_t)v[2] * extent_of(old), blockof(t, v[1], old));
        break;
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER:
        n = repeat(t, v[0], (ptrdiff_t)v[2], blockof(t, v[1], old));
        break;
    case MPI_COMBINER_INDEXED:
        n = indexed(t, v[0], v + 1, false, v + 1 + v[0], extent_of(old), old);
        break;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
        n = indexed(t, v[0], v + 1, false, v + 1 + v[0], 1, old);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        n = indexed(t, v[0], v + 1, true, v + 2, extent_of(old), old);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        n = indexed(t, v[0], v + 1, true, v + 2, 1, old);
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

struct typemap *typemap_new(int64_t count, MPI_Datatype type)
{
    struct typemap *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->root = blockof(t, count, type);
    if (t->failed) {
        typemap_free(t);
        return NULL;
    }
    return t;
}

void typemap_free(struct typemap *t)
{
    if (!t)
        return;
    for (struct piece_of_memory *m = t->memory, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    free(t);
}

bool typemap_contiguous(const struct typemap *t, ptrdiff_t *at)
{
    *at = t->root->at;
    return t->root->kind == NODE_RUN;
}

/* ---- copying ------------------------------------------------------------------------------------------------------- */

/* Where bytes come from and go to. A packed side moves on with every byte; the other is addressed by the tree. */
struct copy {
    const char *source;
    char *target;
    bool source_packed, target_packed;
};

static void copy_run(struct copy *c, ptrdiff_t at, int64_t bytes)
{
    memcpy(c->target_packed ? c->target : c->target + at, c->source_packed ? c->source : c->source + at, (size_t)bytes);
    if (c->source_packed)
        c->source += bytes;
    if (c->target_packed)
        c->target += bytes;
}

/* The last entry that begins at or before byte `from`. */
static int64_t entry_at(const struct node *n, int64_t from)
{
    int64_t low = 0, high = n->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (n->entry[middle].before <= from)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Copies bytes from .. to-1 of a node's stream; the node lies `at` bytes from the base. */
static void walk(const struct node *n, ptrdiff_t at, int64_t from, int64_t to, struct copy *c)
{
    if (from >= to)
        return;
    if (n->kind == NODE_RUN) {
        copy_run(c, at + n->at + (ptrdiff_t)from, to - from);
        return;
    }
    if (n->kind == NODE_REPEAT) {
        int64_t bytes = n->child->bytes;
        for (int64_t i = from / bytes; i * bytes < to; i++) {
            int64_t begin = i * bytes, end = begin + bytes;
            walk(n->child, at + (ptrdiff_t)i * n->stride, from > begin ? from - begin : 0, (to < end ? to : end) - begin, c);
        }
        return;
    }
    for (int64_t k = entry_at(n, from); k < n->count && n->entry[k].before < to; k++) {
        const struct entry *e = &n->entry[k];
        int64_t end = e->before + e->child->bytes;
        walk(e->child, at + e->at, from > e->before ? from - e->before : 0, (to < end ? to : end) - e->before, c);
    }
}

void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed)
{
    struct copy c = {.source = buffer, .target = packed, .target_packed = true};
    walk(t->root, 0, from, from + bytes, &c);
}

void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed)
{
    struct copy c = {.source = packed, .target = buffer, .source_packed = true};
    walk(t->root, 0, from, from + bytes, &c);
}

void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes)
{
    struct copy c = {.source = source, .target = target};
    walk(t->root, 0, from, from + bytes, &c);
}
