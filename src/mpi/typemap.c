/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps, and keeps the trees of elements as attributes of their datatypes; see typemap.h. */
#include "typemap.h"

#include "datatype.h"
#include "decode.h"
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int key = MPI_KEYVAL_INVALID; /* of the attribute in which a derived type keeps the tree of one element */
static _Atomic uint64_t identities = TYPE_OF_MPI;        /* the latest number that a type has got */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* lets only one of several threads set the attribute */

_Atomic uint64_t types_freed;

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

/* The tree of one element of a type; NULL if memory is short. Sets *owned if the caller must free the tree. */
static struct typemap *element_of(MPI_Datatype type, bool *owned)
{
    bool derived = !type_is_predefined(type);
    struct typemap *t = NULL, *other = NULL;
    int found = 0;

    *owned = false;
    if (derived)
        pmpi.Type_get_attr(type, key, &t, &found);
    if (found)
        return t;
    t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->root = decode(t, type);
    t->identity = atomic_fetch_add(&identities, 1) + 1;
    if (t->failed) {
        typemap_free(t);
        return NULL;
    }
    *owned = true;
    if (derived) {
        pthread_mutex_lock(&lock);
        pmpi.Type_get_attr(type, key, &other, &found);
        if (!found)
            *owned = pmpi.Type_set_attr(type, key, t) != MPI_SUCCESS;
        pthread_mutex_unlock(&lock);
    }
    return t;
}

struct typemap *typemap_new(int64_t count, MPI_Datatype type)
{
    struct typemap *t = calloc(1, sizeof *t);
    bool owned = false;
    if (!t)
        return NULL;
    struct typemap *element = element_of(type, &owned);
    if (element)
        tree_root(t, tree_repeat(t, count, extent_of(type), element->root));
    t->element = owned ? element : NULL;
    if (!element || t->failed) {
        typemap_free(t);
        return NULL;
    }
    return t;
}

uint64_t type_identity(MPI_Datatype type)
{
    struct typemap *t;
    int found = 0;
    if (handle_is_simple(type))
        return TYPE_OF_MPI;
    pmpi.Type_get_attr(type, key, &t, &found);
    return found ? t->identity : type_is_predefined(type) ? TYPE_OF_MPI : 0;
}
