/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of 64-bit numbers that lie in memory with gaps, or in another order. Threads may use all of this. */
#pragma once

#include "abi.h"
#include "bytes.h"
#include "suite.h"
#include "tree.h"

enum { ELEMENT = sizeof(int64_t), HALF = ELEMENT / 2, PLAIN = 0, ROOM = 24, GAP = 0xa5 };

/* How an element lies in memory. It has two halves. What an operation may touch of it takes at most ROOM bytes. */
static const struct layout {
    MPI_Datatype type; /* a name for the layout; the MPI library never sees it */
    struct extents element;
    int half[2]; /* where the halves begin, in bytes from the element's address */
} layouts[] = {
    [PLAIN] = {MPI_INT64_T, {ELEMENT, ELEMENT, 0, 0, ELEMENT, true}, {0, HALF}},
    {MPI_2INT, {ELEMENT, 24, 0, 0, 24, false}, {0, HALF}},                /* gaps between elements */
    {MPI_SHORT_INT, {ELEMENT, 20, 4, -4, 16, false}, {12, 4}},            /* the second half lies before the first */
    {MPI_LONG_INT, {ELEMENT, -16, 0, -8, ELEMENT, false}, {0, HALF}},     /* later elements lie lower */
    {MPI_FLOAT_INT, {ELEMENT, ELEMENT, 0, 0, ELEMENT, false}, {0, HALF}}, /* no gaps, though not `plain` */
    {MPI_DOUBLE_INT, {ELEMENT, ELEMENT, -8, -8, 0, false}, {-8, -HALF}},  /* no gaps, but it ends at its address */
};

static inline int64_t load(const struct layout *l, const char *element)
{
    char bytes[ELEMENT];
    int64_t value;
    memcpy(bytes, element + l->half[0], HALF);
    memcpy(bytes + HALF, element + l->half[1], HALF);
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline void store(const struct layout *l, char *element, int64_t value)
{
    char bytes[ELEMENT];
    memcpy(bytes, &value, sizeof value);
    memcpy(element + l->half[0], bytes, HALF);
    memcpy(element + l->half[1], bytes + HALF, HALF);
}

/* The address of element 0 in a message of which an operation may touch nothing below `memory`. */
static inline char *first_element(const struct layout *l, char *memory, size_t elements)
{
    const int64_t reach = ((int64_t)elements - 1) * l->element.extent,
                  span = llabs(reach) + l->element.end - l->element.begin;
    REQUIRE(span <= (int64_t)elements * ROOM, "a message needs %lld bytes", (long long)span);
    return memory - l->element.begin - (reach < 0 ? reach : 0);
}

/* The map of one element, without the last `last` bytes of its second half. */
static inline const struct node *element_without(struct typemap *t, const struct layout *l, int last)
{
    struct list halves = list_begin(t, 2);
    list_add(t, &halves, l->half[0], tree_run(t, 0, HALF));
    list_add(t, &halves, l->half[1], tree_run(t, 0, HALF - last));
    return list_end(t, &halves);
}

/* The map of a message of `elements` elements, without the last `last` bytes of the last element. */
static inline struct typemap *map_of(const struct layout *l, size_t elements, int last)
{
    struct typemap *t = calloc(1, sizeof *t);
    REQUIRE(t, "no memory");
    struct list all = list_begin(t, 2);
    const int64_t before = (int64_t)elements - 1, extent = l->element.extent;
    list_add(t, &all, 0, tree_repeat(t, before, (ptrdiff_t)extent, element_without(t, l, 0)));
    list_add(t, &all, (ptrdiff_t)(before * extent), element_without(t, l, last));
    tree_root(t, list_end(t, &all));
    REQUIRE(!t->failed, "no memory");
    return t;
}
