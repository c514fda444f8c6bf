/* SPDX-License-Identifier: BSD-2-Clause */
/* See contents.h. */
#include "contents.h"

#include "datatype.h"
#include "decode.h"
#include "handles.h"
#include "hash.h"
#include "index.h"

#include <stdlib.h>

static int64_t lower(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t higher(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool contents_of_made(MPI_Datatype type, const struct envelope *e, struct identity *i)
{
    int ints[IDENTITY_VALUES];
    MPI_Aint aints[IDENTITY_VALUES];
    MPI_Datatype inner;
    if (e->types != 1 || e->counts > 0 || e->ints + e->aints > IDENTITY_VALUES ||
        pmpi.Type_get_contents(type, (int)e->ints, (int)e->aints, 1, ints, aints, &inner) != MPI_SUCCESS)
        return false;
    if (!handle_is_of_mpi(inner)) {
        if (!type_is_predefined(inner))
            pmpi.Type_free(&inner);
        return false;
    }
    i->number = IDENTITY_MADE;
    i->of = HANDLE_BITS(inner);
    i->combiner = e->combiner;
    i->values = 0;
    for (int k = 0; k < e->ints; k++)
        i->value[i->values++] = ints[k];
    for (int k = 0; k < e->aints; k++)
        i->value[i->values++] = aints[k];
    return true;
}

/*
 * An element covers all places where an operation of the program may begin its struct: the address, the lower bound, the
 * first data; and up to the highest end. Data more than FAR bytes off have absolute addresses.
 */
struct extents type_extents(MPI_Datatype type)
{
    enum { FAR = 1 << 26 };
    MPI_Count lb = 0, extent = 0, low = 0, width = 0, size = 0;
    pmpi.Type_get_extent_x(type, &lb, &extent);
    pmpi.Type_get_true_extent_x(type, &low, &width);
    pmpi.Type_size_x(type, &size);
    const bool absolute = llabs(low) > FAR;
    const int64_t at = absolute ? low : 0, bound = absolute ? low : lb;
    return (struct extents){.size = size,
                            .extent = extent,
                            .low = low,
                            .begin = lower(at, lower(bound, low)),
                            .end = higher(at + extent, higher(bound + extent, low + width))};
}

static struct contents *open_type(MPI_Datatype type, const struct envelope *e, struct contents *outer)
{
    const size_t ni = (size_t)e->ints, na = (size_t)e->aints, nl = (size_t)e->counts, nt = (size_t)e->types;
    const size_t values = ni + na + nl;
    /* One piece of memory, strictest alignment first. */
    struct contents *c = malloc(sizeof *c + values * sizeof(int64_t) + na * sizeof(MPI_Aint) + nl * sizeof(MPI_Count) +
                                nt * sizeof(void *) + nt * sizeof(MPI_Datatype) + ni * sizeof(int));
    if (!c)
        return NULL;
    int64_t *v = (int64_t *)(c + 1);
    MPI_Aint *aints = (MPI_Aint *)(v + values);
    MPI_Count *counts = (MPI_Count *)(aints + na);
    const struct node **of = (const struct node **)(counts + nl);
    MPI_Datatype *types = (MPI_Datatype *)(of + nt);
    int *ints = (int *)(types + nt);
    *c = (struct contents){.combiner = e->combiner,
                           .large = nl > 0,
                           .v = v,
                           .types = (int)nt,
                           .type = types,
                           .of = of,
                           .self = type,
                           .outer = outer};
    if (pmpi.Type_get_envelope_c && pmpi.Type_get_contents_c)
        pmpi.Type_get_contents_c(type, e->ints, e->aints, e->counts, e->types, ints, aints, counts, types);
    else
        pmpi.Type_get_contents(type, (int)ni, (int)na, (int)nt, ints, aints, types);
    for (size_t k = 0; k < ni; k++)
        v[k] = ints[k];
    for (size_t k = 0; k < na; k++)
        v[ni + k] = aints[k];
    for (size_t k = 0; k < nl; k++)
        v[ni + na + k] = counts[k];
    return c;
}

/* And outer ones, with the handles of MPI_Type_get_contents. */
static void close_types(struct contents *c)
{
    while (c) {
        struct contents *outer = c->outer;
        for (int k = 0; k < c->types; k++)
            if (!type_is_predefined(c->type[k]))
                pmpi.Type_free(&c->type[k]);
        free(c);
        c = outer;
    }
}

struct made {
    MPI_Datatype type;
    const struct node *of;
};

/* Contents stay open to the end: MPI may reuse freed handles of inner types, which in Open MPI are duplicates. */
struct all_made {
    struct made *made;
    int64_t count, room;
    struct index index;
    struct contents *finished; /* a list, by `outer` */
};

static bool same_type(const void *made, int64_t entry, const void *type)
{
    return ((const struct made *)made)[entry].type == *(const MPI_Datatype *)type;
}

static void remember(struct all_made *all, MPI_Datatype type, const struct node *of)
{
    if (array_reserve(&all->made, &all->room, all->count + 1, sizeof *all->made) &&
        index_reserve(&all->index, all->count + 1)) {
        index_add(&all->index, mix64(HANDLE_KEY(type)), all->count);
        all->made[all->count++] = (struct made){type, of};
    }
}

/*
 * Known trees. *at: contents around, or NULL. NULL: *at has this type's contents, which come first; or t->failed, without
 * memory.
 */
static const struct node *meet(struct typemap *t, MPI_Datatype type, const struct all_made *all, struct contents **at)
{
    if (handle_is_of_mpi(type))
        return decode_named(t, type);
    const struct envelope e = envelope_of(type);
    if (combiner_is_predefined(e.combiner))
        return decode_named(t, type);
    const int64_t found = index_find(&all->index, mix64(HANDLE_KEY(type)), same_type, all->made, &type);
    if (found >= 0)
        return all->made[found].of;
    struct contents *inner = open_type(type, &e, *at);
    t->failed |= !inner;
    *at = inner ? inner : *at;
    return NULL;
}

const struct node *decode(struct typemap *t, MPI_Datatype type)
{
    struct all_made all = {0};
    struct contents *at = NULL;
    const struct node *of = meet(t, type, &all, &at);
    while (at && !t->failed) {
        if (at->done < at->types) {
            struct contents *outer = at;
            of = meet(t, outer->type[outer->done], &all, &at);
            if (of)
                outer->of[outer->done++] = of;
            continue;
        }
        struct contents *inner = at;
        of = decode_derived(t, inner);
        at = inner->outer;
        inner->outer = all.finished;
        all.finished = inner;
        if (at) {
            remember(&all, inner->self, of);
            at->of[at->done++] = of;
        }
    }
    close_types(at);
    close_types(all.finished);
    free(all.made);
    free(all.index.slot);
    return t->failed ? &tree_empty : of;
}

MPI_Datatype basic_of(MPI_Datatype type)
{
    struct typemap *t = calloc(1, sizeof *t);
    if (!t)
        return MPI_DATATYPE_NULL;
    decode(t, type);
    const uintptr_t basic = t->failed || !t->basic ? HANDLE_BITS(MPI_DATATYPE_NULL) : t->basic;
    typemap_free(t);
    return (MPI_Datatype)basic;
}
