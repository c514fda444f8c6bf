/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees and copies; see tree.h and bytes.h. */
#include "tree.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- building ------------------------------------------------------------------------------------------------------ */

enum { CHUNK = 4096 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t data[];
};

const struct node tree_empty = {.type = NODE_LIST};

void *tree_get(struct typemap *t, size_t size)
{
    struct chunk *c = t->chunks;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!c || c->size - c->used < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        c = malloc(sizeof *c + room);
        if (!c) {
            t->failed = true;
            return NULL;
        }
        *c = (struct chunk){.next = t->chunks, .size = room};
        t->chunks = c;
    }
    void *memory = (char *)c->data + c->used;
    c->used += size;
    return memory;
}

void typemap_free(struct typemap *t)
{
    if (!t)
        return;
    for (struct chunk *c = t->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(t);
}

static const struct node *make(struct typemap *t, struct node n)
{
    struct node *p = tree_get(t, sizeof *p);
    if (!p)
        return &tree_empty;
    *p = n;
    return p;
}

const struct node *tree_run(struct typemap *t, ptrdiff_t offset, int64_t bytes)
{
    return make(t, (struct node){.type = NODE_RUN, .bytes = bytes, .offset = offset});
}

const struct node *tree_repeat(struct typemap *t, int64_t count, ptrdiff_t stride, const struct node *child)
{
    if (count <= 0 || child->bytes == 0)
        return &tree_empty;
    if (count == 1)
        return child;
    if (child->type == NODE_RUN && stride == child->bytes)
        return tree_run(t, child->offset, count * child->bytes);
    return make(t, (struct node){.type = NODE_REPEAT,
                                 .bytes = count * child->bytes,
                                 .stride = stride,
                                 .count = count,
                                 .child = child,
                                 .depth = child->depth + 1});
}

struct list list_begin(struct typemap *t, int64_t most)
{
    return (struct list){.entry = tree_get(t, (size_t)most * sizeof(struct type_entry))};
}

void list_add(struct typemap *t, struct list *l, ptrdiff_t offset, const struct node *child)
{
    if (!l->entry || child->bytes == 0)
        return;
    struct type_entry *last = l->count ? &l->entry[l->count - 1] : NULL;
    if (last && last->child->type == NODE_RUN && child->type == NODE_RUN &&
        last->offset + last->child->offset + last->child->bytes == offset + child->offset)
        last->child = tree_run(t, last->child->offset, last->child->bytes + child->bytes);
    else
        l->entry[l->count++] = (struct type_entry){offset, l->bytes, child};
    l->bytes += child->bytes;
    l->depth = child->depth > l->depth ? child->depth : l->depth;
}

const struct node *list_end(struct typemap *t, const struct list *l)
{
    if (l->count == 0)
        return &tree_empty;
    const struct type_entry *only = &l->entry[0];
    if (l->count == 1 && only->offset == 0)
        return only->child;
    if (l->count == 1 && only->child->type == NODE_RUN)
        return tree_run(t, only->offset + only->child->offset, l->bytes);
    if (l->count == 1 && only->child->type == NODE_LIST && only->child->count == 1) { /* nested, one entry each */
        const struct type_entry *inner = only->child->entry;
        l->entry[0] = (struct type_entry){only->offset + inner->offset, 0, inner->child};
        return make(t,
                    (struct node){.type = NODE_LIST, .bytes = l->bytes, .count = 1, .entry = l->entry, .depth = l->depth});
    }
    return make(
        t, (struct node){.type = NODE_LIST, .bytes = l->bytes, .count = l->count, .entry = l->entry, .depth = l->depth + 1});
}

void tree_root(struct typemap *t, const struct node *root)
{
    t->root = root;
    if (root->depth > 0)
        t->frame = tree_get(t, (size_t)root->depth * sizeof t->frame[0]);
}

/* ---- reach --------------------------------------------------------------------------------------------------------- */

int64_t extents_span(const struct extents *e, int64_t count, ptrdiff_t *origin)
{
    const int64_t reach = (count - 1) * e->extent; /* from first to last */
    *origin = (ptrdiff_t)span_align(-e->begin - (reach < 0 ? reach : 0));
    return span_align(*origin + (reach > 0 ? reach : 0) + e->end);
}

bool typemap_contiguous(const struct typemap *t, ptrdiff_t *first)
{
    *first = t->root->offset;
    return t->root->type == NODE_RUN;
}

/* ---- copying ------------------------------------------------------------------------------------------------------- */

/* A packed side is consecutive; on the other the tree tells. */
struct copy {
    const char *source;
    char *target;
    bool source_packed, target_packed;
};

/* `count` runs of `bytes`; unpacked, `stride` apart. Constant sizes are much faster, hence the cases. */
static void copy_runs(struct copy *c, ptrdiff_t offset, int64_t bytes, ptrdiff_t stride, int64_t count)
{
    const char *source = c->source_packed ? c->source : displaced(c->source, offset);
    char *target = c->target_packed ? c->target : displaced(c->target, offset);
    ptrdiff_t from = c->source_packed ? (ptrdiff_t)bytes : stride, to = c->target_packed ? (ptrdiff_t)bytes : stride;
#define COPY(size)                                                                                                          \
    for (int64_t i = 0; i < count; i++, source += from, target += to)                                                       \
    memcpy(target, source, size)
    switch (bytes) {
    case 4:
        COPY(4);
        break;
    case 8:
        COPY(8);
        break;
    case 16:
        COPY(16);
        break;
    default:
        COPY((size_t)bytes);
    }
#undef COPY
    if (c->source_packed)
        c->source = source;
    if (c->target_packed)
        c->target = target;
}

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

static void enter(struct type_frame *f, const struct node *n, ptrdiff_t offset, int64_t from, int64_t to)
{
    *f = (struct type_frame){n, offset, from, to, 0};
    if (from > 0)
        f->at = n->type == NODE_REPEAT ? from / n->child->bytes : entry_at(n, from);
}

/* Copy runs. At another child, set *inner to it and return true; false at the end. */
static bool copy_repeat(struct type_frame *f, struct type_frame *inner, struct copy *c)
{
    const struct node *n = f->node, *child = n->child;
    const int64_t bytes = child->bytes;
    while (f->at * bytes < f->to) {
        const int64_t begin = f->at * bytes, first = f->from > begin ? f->from - begin : 0;
        const int64_t last = f->to - begin < bytes ? f->to - begin : bytes;
        const int64_t whole = child->type == NODE_RUN && first == 0 ? (f->to - begin) / bytes : 0;
        const ptrdiff_t start = f->offset + (ptrdiff_t)f->at * n->stride;
        f->at += whole > 0 ? whole : 1;
        if (whole > 0)
            copy_runs(c, start + child->offset, bytes, n->stride, whole);
        else if (child->type == NODE_RUN)
            copy_runs(c, start + child->offset + (ptrdiff_t)first, last - first, 0, 1);
        else {
            enter(inner, child, start, first, last);
            return true;
        }
    }
    return false;
}

static bool copy_list(struct type_frame *f, struct type_frame *inner, struct copy *c)
{
    const struct node *n = f->node;
    while (f->at < n->count && n->entry[f->at].before < f->to) {
        const struct type_entry *e = &n->entry[f->at++];
        const struct node *child = e->child;
        const int64_t first = f->from > e->before ? f->from - e->before : 0;
        const int64_t last = f->to - e->before < child->bytes ? f->to - e->before : child->bytes;
        const ptrdiff_t start = f->offset + e->offset;
        if (child->type != NODE_RUN) {
            enter(inner, child, start, first, last);
            return true;
        }
        copy_runs(c, start + child->offset + (ptrdiff_t)first, last - first, 0, 1);
    }
    return false;
}

/* [from, to). In t->frame: types may nest deeper than the stack. */
static void walk(const struct typemap *t, int64_t from, int64_t to, struct copy *c)
{
    const struct node *root = t->root;
    if (from >= to)
        return;
    if (root->type == NODE_RUN) {
        copy_runs(c, root->offset + (ptrdiff_t)from, to - from, 0, 1);
        return;
    }
    enter(&t->frame[0], root, 0, from, to);
    for (int64_t depth = 1; depth > 0;) {
        struct type_frame *f = &t->frame[depth - 1];
        bool deeper = f->node->type == NODE_REPEAT ? copy_repeat(f, f + 1, c) : copy_list(f, f + 1, c);
        depth += deeper ? 1 : -1;
    }
}

void typemap_pack(const struct typemap *t, const char *buffer, int64_t from, int64_t bytes, char *packed)
{
    struct copy c = {.source = buffer, .target = packed, .target_packed = true};
    walk(t, from, from + bytes, &c);
}

void typemap_unpack(const struct typemap *t, char *buffer, int64_t from, int64_t bytes, const char *packed)
{
    struct copy c = {.source = packed, .target = buffer, .source_packed = true};
    walk(t, from, from + bytes, &c);
}

void typemap_move(const struct typemap *t, const char *source, char *target, int64_t from, int64_t bytes)
{
    struct copy c = {.source = source, .target = target};
    walk(t, from, from + bytes, &c);
}
