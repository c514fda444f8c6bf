/* SPDX-License-Identifier: BSD-2-Clause */
/* The segments of a simulation: ranks, counters and cells, and who may read and write them; see simulate_segment.c. */
#pragma once

#include "segment_cell.h"
#include "segment_counter.h"
#include "simulate.h"

enum { TURNS = 1 << 20 }; /* more turns than a round has, even among more ranks than a real segment may have */

enum { COUNTER_OUT, COUNTER_GATHERED, COUNTERS };

struct actor {
    struct shape shape;     /* of its current call */
    int node, first, ranks; /* its node, whose ranks are first .. first+ranks-1 */
    bool sent, received;    /* the legs of its exchange that are done */
    struct walk walk;
    struct step step; /* the next one */
    bool has_step, done;
    int call;              /* index of its current call */
    int64_t base;          /* number of its current call's first round */
    int64_t *clock;        /* for each rank: number of its steps that come before this actor's next step */
    int64_t time;          /* blocks on the longest chain up to its next step */
    double moved;          /* its loads and stores, in multiples of the message */
    struct sim_value *own; /* IN blocks, OUT blocks */
    struct counter counter[COUNTERS];
};

/* A spot, and the turns and the note of the round that begins there. The ranks that await a turn read the note. */
struct spot {
    struct used_cell cell, note;
    struct counter turn;
};

struct segment_world {
    const struct segment_call *calls;
    int count, spots, group, ranks;
    const struct node_list *nodes; /* NULL: all ranks are on one node */
    struct actor *actor;
    struct spot *spot; /* [rank][spots] */
    uint64_t *weights;
    struct verdict *v;
};

const struct shape *world_shape(const struct segment_world *w, int rank);

/* The rank's number on its node. */
int world_local(const struct segment_world *w, int rank);

/* The rank's number in its shape. */
int world_position(const struct segment_world *w, int rank);

/* With ports, IN and OUT have one block, by whatever number. */
int64_t world_block(const struct shape *s, int slot, int64_t block);

/* The spots that a round of the rank's current call takes. */
int64_t world_width(const struct segment_world *w, int rank);

/* The number of a round of the rank's current call. */
int64_t world_round(const struct segment_world *w, int rank, int64_t round);

bool world_object(struct segment_world *w, int rank, const char *format, ...);

bool world_lacks_memory(struct segment_world *w);

bool world_publish(struct segment_world *w, int rank, struct counter *c, int64_t value);

bool world_told(const struct segment_world *w, int of, int64_t number, int turn);

/* Takes over the clock of a turn that rank `of` has told, and reads the note. */
bool world_learn_turn(struct segment_world *w, int rank, int of, int64_t number, int turn);

bool world_tell_turn(struct segment_world *w, int rank, int64_t number, int turn);

bool world_gathers(const struct segment_world *w, int rank);

/*
 * Publishes the least `out` of the rank's group, with the clocks that the group's counters had when they reached that value.
 * The rank's own clock does not change: if the ranks ran in another order, the rank would see less. Returns false if memory
 * is short.
 */
bool world_gather(struct segment_world *w, int rank);

/*
 * Stands for await_free() of src/run/rounds.c and, if `reader` is a rank, for await_reader(). Even if it returns false, the
 * rank may have learned from other ranks.
 */
bool world_learn_free(struct segment_world *w, int rank, int reader, int64_t number);

/* The value of a block in a slot; NULL if the access is illegal. In a cell, the block may touch each spot of the cell. */
struct sim_value *world_access(struct segment_world *w, int rank, int slot, int64_t block, bool writes);
