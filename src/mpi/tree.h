/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree in a typemap. Offsets in bytes from a base: for the root, the buffer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_type {
    NODE_RUN,    /* `bytes` from `offset` on */
    NODE_REPEAT, /* `count` times `child`, `stride` bytes apart */
    NODE_LIST
};

/* `child` at `offset`, behind `before` bytes of the list's stream. */
struct type_entry {
    ptrdiff_t offset;
    int64_t before;
    const struct node *child;
};

struct node {
    enum node_type type;
    int64_t bytes; /* of data; 0 only in an empty list */
    ptrdiff_t offset, stride;
    int64_t count;
    const struct node *child;
    const struct type_entry *entry;
    int64_t depth; /* levels of repeats and lists, with this one */
};

/* Progress of a copy in a repeat or list. */
struct type_frame {
    const struct node *node;
    ptrdiff_t offset; /* from the root's base */
    int64_t from, to; /* of the node's stream */
    int64_t at;       /* the next child */
};

struct chunk;

struct typemap {
    struct chunk *chunks; /* all memory of the tree */
    bool failed;          /* short of memory */
    uintptr_t basic;      /* handle of the only predefined type in it; that of none, if several; or 0 */
    const struct node *root;
    struct type_frame *frame; /* root->depth of them, or NULL */
    uint64_t number;          /* of the type's identity; 0 for messages */
};

/* The tree without bytes, also in place of one that could not be made. */
extern const struct node tree_empty;

/* Memory that lives as long as the typemap. If it is short, sets t->failed and returns NULL. */
void *tree_get(struct typemap *t, size_t size);

/* Sets the root, and allocates the frames. */
void tree_root(struct typemap *t, const struct node *root);

/* A run from `offset` bytes on. */
const struct node *tree_run(struct typemap *t, ptrdiff_t offset, int64_t bytes);

/* Makes one run, if the copies are runs that touch. */
const struct node *tree_repeat(struct typemap *t, int64_t count, ptrdiff_t stride, const struct node *child);

/* A list while it is built, in the order of the stream. Runs that touch become one entry. */
struct list {
    struct type_entry *entry;
    int64_t count, bytes;
    int64_t depth; /* of the deepest child */
};

struct list list_begin(struct typemap *t, int64_t most);
void list_add(struct typemap *t, struct list *l, ptrdiff_t offset, const struct node *child);
const struct node *list_end(struct typemap *t, const struct list *l);
