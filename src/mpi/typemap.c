/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes typemaps, and keeps the trees of elements as attributes of their datatypes; see typemap.h. */
#include "typemap.h"

#include "datatype.h"
#include "decode.h"
#include "sizes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { OF_MPI = 1 }; /* the number of all types of MPI */

static int key = MPI_KEYVAL_INVALID;         /* of the attribute in which a derived type keeps the tree of one element */
static _Atomic uint64_t identities = OF_MPI; /* the latest number that a type has got */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* lets only one of several threads set the attribute */

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

/* Sets the attribute, unless another thread has done so. Returns the tree that the type has then; NULL: it has none. */
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

/* The tree of one element that a derived type keeps; NULL: it keeps none, as it is new, or as memory is short. */
static struct typemap *element_of(MPI_Datatype type)
{
    struct typemap *t = NULL;
    int found = 0;
    if (type_is_new(type) || type_is_predefined(type))
        return NULL;
    pmpi.Type_get_attr(type, key, &t, &found);
    if (found || !(t = calloc(1, sizeof *t)))
        return t;
    t->root = decode(t, type);
    t->identity = atomic_fetch_add(&identities, 1) + 1;
    if (!t->failed)
        return attach(type, t);
    typemap_free(t);
    return NULL;
}

struct typemap *typemap_new(int64_t count, MPI_Datatype type)
{
    struct typemap *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    const struct typemap *element = element_of(type);
    tree_root(t, tree_repeat(t, count, extent_of(type), element ? element->root : decode(t, type)));
    if (!t->failed)
        return t;
    typemap_free(t);
    return NULL;
}

uint64_t type_identity(MPI_Datatype type)
{
    struct typemap *t;
    int found = 0;
    if (handle_is_of_mpi(type))
        return OF_MPI;
    if (type_is_new(type))
        return 0;
    pmpi.Type_get_attr(type, key, &t, &found);
    return found ? t->identity : type_is_predefined(type) ? OF_MPI : 0;
}

uint64_t type_life(MPI_Datatype type)
{
    int64_t size;
    if (handle_is_of_mpi(type))
        return TYPE_OF_MPI;
    const uint64_t now = atomic_load_explicit(&types_freed, memory_order_relaxed);
    return size_known(type, &size) || type_identity(type) ? now : TYPE_UNWATCHED;
}
