/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree inside a typemap, and how it is built; see typemap.h. */
#ifndef PLEACH_TREE_H
#define PLEACH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind {
    NODE_RUN,    /* `bytes` consecutive bytes, `offset` behind the base */
    NODE_REPEAT, /* `count` times `child`, each `stride` bytes behind the one before */
    NODE_LIST    /* `count` entries */
};

/* A part of a list: `child`, moved by `offset`, which begins `before` bytes into the list's stream. */
struct type_entry {
    ptrdiff_t offset;
    int64_t before;
    const struct node *child;
};

struct node {
    enum node_kind kind;
    int64_t bytes; /* in the stream; > 0 but for an empty list */
    ptrdiff_t offset, stride;
    int64_t count;
    const struct node *child;
    const struct type_entry *entry;
    int64_t depth; /* of repeats and lists from here on; 0: a run, or an empty list */
};

/* The position of a copy in a repeat or a list. */
struct type_frame {
    const struct node *node;
    ptrdiff_t offset; /* of the node from the base */
    int64_t from, to; /* the part of its stream to copy */
    int64_t at;       /* next child */
};

struct chunk;

struct typemap {
    struct chunk *chunks; /* all memory of the tree, to be freed together */
    bool failed;          /* some memory was not available */
    const struct node *root;
    struct type_frame *frame; /* root->depth of them, for copying; NULL where none is needed */
    uint64_t identity;        /* of the type whose element it is, see type_identity(); 0 for messages */
    struct typemap *element;  /* the tree that root repeats, if it is freed with this one; else NULL */
};

/* The tree without bytes. Also replaces a tree that could not be made; then the typemap has failed. */
extern const struct node tree_empty;

/* Memory that lives as long as the typemap; NULL if there is none. */
void *tree_get(struct typemap *t, size_t size);

/* Sets the root, and gets the memory that copying needs. */
void tree_root(struct typemap *t, const struct node *root);

/* A run of consecutive bytes that begins `offset` bytes from the base. */
const struct node *tree_run(struct typemap *t, ptrdiff_t offset, int64_t bytes);

/* `count` times `child`, each `stride` bytes behind the one before; a run, if they touch. */
const struct node *tree_repeat(struct typemap *t, int64_t count, ptrdiff_t stride, const struct node *child);

/* A list in the making: entries come in the order of the stream; neighbours that touch in memory become one. */
struct list {
    struct type_entry *entry;
    int64_t count, bytes;
    int64_t depth; /* of the deepest child */
};

struct list list_begin(struct typemap *t, int64_t most);
void list_add(struct typemap *t, struct list *l, ptrdiff_t offset, const struct node *child);
const struct node *list_end(struct typemap *t, const struct list *l);

#endif
