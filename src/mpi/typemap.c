/* SPDX-License-Identifier: BSD-2-Clause */
/* See typemap.h. */
#include "typemap.h"

#include "contents.h"
#include "datatype.h"
#include "decode.h"
#include "sizes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID;                     /* of the attribute with an element's tree */
static _Atomic uint64_t numbers = IDENTITIES;            /* next number of an identity */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of setting the attribute */

static int on_delete(MPI_Datatype type, int k, void *tree, void *state)
{
    (void)type;
    (void)k;
    (void)state;
    atomic_fetch_add(&types_freed, 1);
    typemap_free(tree);
    return MPI_SUCCESS;
}

bool typemap_open(void)
{
    return pmpi.Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete, &key, NULL) == MPI_SUCCESS;
}

/* Unless another thread has. The type's tree then, or NULL. */
static struct typemap *attach(MPI_Datatype type, struct typemap *t)
{
    struct typemap *other = NULL;
    int found = 0;
    pthread_mutex_lock(&lock);
    pmpi.Type_get_attr(type, key, &other, &found);
    const bool attached = !found && pmpi.Type_set_attr(type, key, t) == MPI_SUCCESS;
    pthread_mutex_unlock(&lock);
    if (attached)
        return t;
    typemap_free(t);
    return found ? other : NULL;
}

static struct typemap *kept_by(MPI_Datatype type)
{
    struct typemap *t = NULL;
    int found = 0;
    if (!type_is_new(type))
        pmpi.Type_get_attr(type, key, &t, &found);
    return found ? t : NULL;
}

/* Kept from now on. NULL: no memory, or its identity needs none. */
static struct typemap *element_of(MPI_Datatype type, uint64_t number)
{
    struct typemap *t = number >= IDENTITIES ? kept_by(type) : NULL;
    if (t || number != IDENTITY_NONE || type_is_new(type) || !(t = calloc(1, sizeof *t)))
        return t;
    t->root = decode(t, type);
    t->number = atomic_fetch_add(&numbers, 1);
    if (!t->failed)
        return attach(type, t);
    typemap_free(t);
    return NULL;
}

struct typemap *typemap_new(int64_t count, MPI_Datatype type, struct identity *of)
{
    struct typemap *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    const struct typemap *element = element_of(type, of->number);
    of->number = element ? element->number : of->number;
    tree_root(t, tree_repeat(t, count, extent_of(type), element ? element->root : decode(t, type)));
    if (!t->failed)
        return t;
    typemap_free(t);
    return NULL;
}

void type_identity(MPI_Datatype type, struct identity *i)
{
    i->number = IDENTITY_OF_MPI;
    i->of = HANDLE_BITS(type);
    i->combiner = i->values = 0;
    if (handle_is_of_mpi(type))
        return;
    const struct envelope e = envelope_of(type);
    if (combiner_is_predefined(e.combiner) || contents_of_made(type, &e, i))
        return;
    const struct typemap *t = kept_by(type);
    i->number = t ? t->number : IDENTITY_NONE;
    i->of = 0;
}

bool identity_same(const struct identity *a, const struct identity *b)
{
    bool same = a->number != IDENTITY_NONE && a->number == b->number && a->of == b->of && a->combiner == b->combiner &&
                a->values == b->values;
    for (int i = 0; same && i < a->values; i++)
        same = a->value[i] == b->value[i];
    return same;
}

uint64_t type_life(MPI_Datatype type, uint64_t number)
{
    int64_t size;
    if (handle_is_of_mpi(type))
        return TYPE_OF_MPI;
    const uint64_t now = atomic_load_explicit(&types_freed, memory_order_relaxed);
    return number >= IDENTITIES || size_known(type, &size) ? now : TYPE_UNWATCHED;
}
