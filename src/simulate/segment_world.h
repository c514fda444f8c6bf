/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated segments: ranks, counters, cells, and who may access them; see simulate_segment.c. */
#pragma once

#include "segment_cell.h"
#include "segment_counter.h"
#include "simulate.h"

enum { TURNS = 1 << 20 };

enum { COUNTER_OUT, COUNTER_GATHERED, COUNTERS };

struct actor {
    struct shape shape;
    int node, first, ranks; /* its node's ranks are first .. first+ranks-1 */
    bool sent, received;    /* done, of its exchange */
    struct walk walk;
    struct step step;
    bool has_step, done;
    int call;
    int64_t base;          /* the call's first round */
    int64_t *clock;        /* by rank: steps before this actor's next one */
    int64_t time;          /* longest chain of blocks so far */
    double moved;          /* loads and stores, in multiples of the message */
    struct sim_value *own; /* IN, then OUT */
    struct counter counter[COUNTERS];
};

/* With turns, small cell and note of the round that begins there; ranks that await a turn read the note. */
struct spot {
    struct used_cell cell, small, note;
    struct counter turn;
};

struct segment_world {
    const struct segment_call *calls;
    int count, spots, group, ranks;
    const struct node_list *nodes; /* NULL: one node */
    struct actor *actor;
    struct spot *spot; /* [rank][spots] */
    uint64_t *weights;
    struct verdict *v;
};

const struct shape *world_shape(const struct segment_world *w, int rank);

int world_local(const struct segment_world *w, int rank);

int world_position(const struct segment_world *w, int rank);

/* With ports, IN and OUT have one block. */
int64_t world_block(const struct shape *s, int slot, int64_t block);

/* The spots that a round of the current call takes. */
int64_t world_width(const struct segment_world *w, int rank);

/* The number of a round of the current call. */
int64_t world_round(const struct segment_world *w, int rank, int64_t round);

bool world_object(struct segment_world *w, int rank, const char *format, ...);

bool world_lacks_memory(struct segment_world *w);

bool world_publish(struct segment_world *w, int rank, struct counter *c, int64_t value);

bool world_told(const struct segment_world *w, int of, int64_t number, int turn);

/* Takes over the clock of the turn of `of`, and reads its note. */
bool world_learn_turn(struct segment_world *w, int rank, int of, int64_t number, int turn);

bool world_tell_turn(struct segment_world *w, int rank, int64_t number, int turn);

bool world_gathers(const struct segment_world *w, int rank);

/*
 * Publishes the least `out` of the group, with clocks of then; the rank's own clock does not change, as in another order it
 * would see less. False if memory is short.
 */
bool world_gather(struct segment_world *w, int rank);

/* await_free() and, if `reader` is a rank, await_reader() of src/run/rounds.c. May learn even if false. */
bool world_learn_free(struct segment_world *w, int rank, int reader, int64_t number);

/* The value of a block in a slot; NULL: illegal. In a cell, the block may touch each spot. */
struct sim_value *world_access(struct segment_world *w, int rank, int slot, int64_t block, bool writes);
