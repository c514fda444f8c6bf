/* SPDX-License-Identifier: BSD-2-Clause */
/* See axis.h. */
#include "axis.h"

#include "hash.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* ---- Classes --------------------------------------------------------------------------------------------------------- */

/* Middles: numbers of at most three significant binary digits, 1 .. 8, 10, 12, 14, 16, 20 .. */
enum { CLASSES = 256 };

static int class_of(int64_t bytes)
{
    const int digits = 64 - __builtin_clzll((unsigned long long)bytes), shift = digits > 3 ? digits - 3 : 0;
    const uint64_t half = shift ? UINT64_C(1) << (shift - 1) : 0;
    return 4 * shift + (int)(((uint64_t)bytes + half) >> shift);
}

static int64_t middle_of(int class)
{
    return class < 8 ? class : (int64_t)(class % 4 + 4) << (class / 4 - 1);
}

static struct facts facts_in(const struct facts *f, int class)
{
    const enum root_place place = root_place(f->root, f->ranks);
    struct facts in = *f;
    in.root = place == ROOT_INSIDE ? f->ranks / 2 : f->root;
    in.units = facts_units_in(f, middle_of(class));
    in.bytes = in.units * (f->bytes / f->units);
    return in;
}

struct facts choose_class(const struct facts *f)
{
    return facts_in(f, class_of(f->bytes));
}

/* ---- Axes ------------------------------------------------------------------------------------------------------------ */

struct axis {
    struct facts facts; /* of its smallest class; no ranks: an empty place */
    struct machine machine;
    int64_t ruled_from;
    const struct rule *rule;
    int least, end; /* the classes least .. end - 1 have picks */
    struct pick at[CLASSES];
};

/* Programs use some ten for each sort of communicators. Axes with the same key may differ. */
enum { AXES = 64 };

struct choices {
    pthread_mutex_t lock;
    uint64_t key[AXES];
    struct axis axis[AXES];
    unsigned next; /* place for the next axis, modulo AXES */
};

struct choices choices_of_process = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct choices *choices_with(const struct settings *s)
{
    static struct choices kept[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};
    static struct settings with[2];
    static int latest;
    if (memcmp(&with[latest], s, sizeof *s) == 0)
        return &kept[latest];
    latest = !latest;
    if (memcmp(&with[latest], s, sizeof *s) != 0) {
        with[latest] = *s;
        memset(kept[latest].axis, 0, sizeof kept[latest].axis);
    }
    return &kept[latest];
}

/* NULL for a tree in which all ranks are alike. */
static const struct places *telling(const struct places *t)
{
    return t && (places_differ(t) || t->measured || t->splits_nodes) ? t : NULL;
}

/* Without trees that decide nothing: each communicator has its own. */
static struct machine told(const struct machine *m)
{
    struct machine t = *m;
    for (enum source source = 0; source < SOURCES; source++) {
        t.places[source] = telling(m->places[source]);
        t.node_places[source] = telling(m->node_places[source]);
    }
    return t;
}

static bool has_places(const struct machine *m)
{
    return m->places[SOURCE_SURE] || m->places[SOURCE_MEASURED] || m->node_places[SOURCE_SURE] ||
           m->node_places[SOURCE_MEASURED];
}

static int64_t ruled_from(const struct facts *f)
{
    return f->machine->ruled_from ? f->machine->ruled_from[f->collective] : INT64_MAX;
}

/* Whatever their generations and pointers. Trees of places may have changed in place. */
static bool same_machine(const struct machine *a, const struct machine *b)
{
    const size_t from = offsetof(struct machine, nodes);
    if (has_places(a) || has_places(b))
        return a->id && a->id == b->id && a->generation == b->generation;
    return a->natives == b->natives && memcmp(&a->algorithms, &b->algorithms, sizeof a->algorithms) == 0 &&
           memcmp((const char *)a + from, (const char *)b + from, sizeof *a - from) == 0;
}

static bool is_axis(const struct axis *x, const struct facts *smallest, const struct machine *m, const struct rule *rule)
{
    return facts_same(&x->facts, smallest) && x->rule == rule && x->ruled_from == ruled_from(smallest) &&
           same_machine(&x->machine, m);
}

static uint64_t key_of(const struct facts *smallest)
{
    const struct machine *m = smallest->machine;
    const uint64_t parts[] = {(uint64_t)smallest->collective << 8 | (uint64_t)smallest->op,
                              (uint64_t)smallest->ranks << 32 | (uint64_t)smallest->root, (uint64_t)smallest->bytes,
                              (uint64_t)m->nodes << 32 | (uint64_t)m->node_ranks,
                              (uint64_t)m->cell << 3 | m->busy * 4u | m->measured * 2u | m->shared_tried};
    uint64_t key = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        key = hash_add(key, parts[i]);
    return key;
}

/* If it is not kept, makes an empty one in the oldest place. */
static struct axis *axis_of(struct choices *kept, const struct facts *smallest, const struct rule *rule, int least)
{
    const struct machine m = told(smallest->machine);
    const uint64_t key = key_of(smallest);
    for (int i = 0; i < AXES; i++)
        if (kept->key[i] == key && is_axis(&kept->axis[i], smallest, &m, rule))
            return &kept->axis[i];
    const unsigned place = kept->next++ % AXES;
    struct axis *x = &kept->axis[place];
    kept->key[place] = key;
    x->facts = *smallest;
    x->machine = m;
    x->ruled_from = ruled_from(smallest);
    x->rule = rule;
    x->least = x->end = least;
    return x;
}

static const struct pick none = {.native = true};

static struct pick walk(struct axis *x, const struct settings *s, const struct facts *f, int class)
{
    for (; x->end <= class; x->end++) {
        const struct facts in = facts_in(f, x->end);
        x->at[x->end] = choose_pick(s, x->rule, &in, x->end > x->least ? &x->at[x->end - 1] : &none);
    }
    return x->at[class];
}

static struct pick walk_unkept(const struct settings *s, const struct rule *rule, const struct facts *f, int least,
                               int class)
{
    struct pick pick = none;
    for (; least <= class; least++) {
        const struct facts in = facts_in(f, least);
        pick = choose_pick(s, rule, &in, &pick);
    }
    return pick;
}

struct pick axis_pick(const struct settings *s, const struct rule *rule, const struct facts *f, struct choices *kept)
{
    const int64_t unit = f->bytes / f->units, from = rule && rule->bytes.least > unit ? rule->bytes.least : unit;
    const int class = class_of(f->bytes), least = class_of(from) < class ? class_of(from) : class;
    if (!kept)
        return walk_unkept(s, rule, f, least, class);
    const struct facts smallest = facts_in(f, least);
    pthread_mutex_lock(&kept->lock);
    const struct pick pick = walk(axis_of(kept, &smallest, rule, least), s, f, class);
    pthread_mutex_unlock(&kept->lock);
    return pick;
}
