/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tree inside a typemap, and functions that build it; see typemap.h. Offsets count in bytes from a base, which is the
 * buffer's address for the root.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_type {
    NODE_RUN,    /* `bytes` consecutive bytes that begin `offset` bytes from the base */
    NODE_REPEAT, /* `count` copies of `child`, each `stride` bytes behind the copy before it */
    NODE_LIST    /* `count` entries */
};

/* An entry of a list: `child`, moved by `offset`. Its bytes begin `before` bytes into the list's stream. */
struct type_entry {
    ptrdiff_t offset;
    int64_t before;
    const struct node *child;
};

struct node {
    enum node_type type;
    int64_t bytes; /* bytes of data; > 0, except in an empty list */
    ptrdiff_t offset, stride;
    int64_t count;
    const struct node *child;
    const struct type_entry *entry;
    int64_t depth; /* number of levels of repeats and lists, with this one; 0 for a run or an empty list */
};

/* How far the copying of data has come in a repeat or a list. */
struct type_frame {
    const struct node *node;
    ptrdiff_t offset; /* of the node, from the base of the root */
    int64_t from, to; /* the part of the node's stream to copy */
    int64_t at;       /* number of the next child */
};

struct chunk;

struct typemap {
    struct chunk *chunks; /* all memory of the tree, which is freed together */
    bool failed;          /* some memory was not available */
    uintptr_t basic;      /* the handle of the only predefined type in it; that of none if there are several; or 0 */
    const struct node *root;
    struct type_frame *frame; /* root->depth frames for copying; NULL if root->depth is 0 */
    uint64_t number;          /* in the identity of the type whose element this is; 0 for messages */
};

/*
 * The tree without bytes. If memory is short, it also replaces a tree that could not be made; then the typemap has failed.
 */
extern const struct node tree_empty;

/* Returns memory that lives as long as the typemap. If memory is short, sets t->failed and returns NULL. */
void *tree_get(struct typemap *t, size_t size);

/* Sets the root, and allocates the frames that copying needs. */
void tree_root(struct typemap *t, const struct node *root);

/* Makes a run of consecutive bytes that begins `offset` bytes from the base. */
const struct node *tree_run(struct typemap *t, ptrdiff_t offset, int64_t bytes);

/*
 * Makes a tree of `count` copies of `child`, each `stride` bytes behind the copy before it. If the copies are runs that
 * touch each other, the tree is one run.
 */
const struct node *tree_repeat(struct typemap *t, int64_t count, ptrdiff_t stride, const struct node *child);

/*
 * A list while it is built. The entries come in the order of the stream. Neighbouring runs that touch each other in memory
 * become one entry.
 */
struct list {
    struct type_entry *entry;
    int64_t count, bytes;
    int64_t depth; /* of the deepest child */
};

struct list list_begin(struct typemap *t, int64_t most);
void list_add(struct typemap *t, struct list *l, ptrdiff_t offset, const struct node *child);
const struct node *list_end(struct typemap *t, const struct list *l);
