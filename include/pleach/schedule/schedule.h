/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Schedules: what one rank does in one collective operation, one step at a time. Pure arithmetic: no MPI, no allocation.
 *
 * No schedule deadlocks, even under strict rendezvous. Every message has a global step number `when` that both its ends
 * compute. A rank performs its messages in increasing `when`; it has at most one send and one receive of one `when`, and
 * merges these into one exchange. Take the unfinished message of the smallest `when`: both its ends have finished all
 * earlier ones, so both have posted it, and it completes. Numbers may be skipped.
 */
#pragma once

#include "collective.h"

#include <stdint.h>

/* Cells of full size of each rank in a segment (segment.h). */
enum { SEGMENT_DEPTH = 8 };

/* Such cells that blocks of several nodes may take together: half of a rank's memory, so that calls need not wait. */
enum { SEGMENT_NODES = SEGMENT_DEPTH / 2 };

/* The ranks that get the message of a broadcast: all, `reader` alone, or all but `reader`. */
enum readers { READERS_ALL, READERS_ONE, READERS_OTHERS };

struct places;

/* The ports of nodes, in a stage between nodes in which all ranks of a node take part (multiport.c). */
struct ports {
    int most;  /* ranks of each node that may exchange messages; the same on all nodes; 0: there can be no such stage */
    int used;  /* k: ranks that do so, the first ones of each node; the same on all nodes */
    int self;  /* the calling rank's number on its node */
    int ranks; /* of this node; 0 but in schedules of such a stage */
};

/* One collective operation: equal on all ranks, or on the ranks of a node if there are ports. */
struct shape {
    enum collective collective;
    bool ordered; /* operands must be combined in rank order; else in any */
    int ranks;    /* p >= 1 */
    int root;     /* 0 for collectives without one */
    int roots;    /* L: the message has L parts (cut.h), and rank (root + j) % p is the root of part j; 0: one root */
    enum readers readers;
    int reader;
    struct ports ports; /* if ports.ranks: the shape's ranks are nodes, and rank `reader` has this node's operand */
    int64_t blocks;
    int64_t wide;   /* w, the most blocks in a piece; 0 means 1 */
    int group;      /* r, the ranks in a group of a fractional tree; 0: the engine finds r */
    int node_ranks; /* rank r lies on node r / node_ranks; 0: any other layout */
    int domain;     /* ranks k domain .. (k + 1) domain - 1 have near cores, for each k; 0: not known; see machine.h */
    int depth;      /* d >= 2, rounds for which each rank has cells in the segment that all share; 0: no segment */
    int lanes;      /* the most lanes over nodes whose ranks share memory; 0: none */
    const struct places *places; /* positions in it are the ranks of the shape; NULL: unknown */
};

/* Must the shape keep the order of operands at a root that is neither the first nor the last rank? */
static inline bool shape_interior(const struct shape *s)
{
    return collective_flow(s->collective) == FLOW_ALL_TO_ONE && s->ordered && s->root != 0 && s->root != s->ranks - 1;
}

/*
 * The buffer of a block. IN is the send buffer and never written. OUT is the result; only where collective_writes(). A
 * broadcast has OUT alone. T0.. are scratch slots, each for one piece. Numbers from SLOTS on are cells, see slot_cell().
 *
 * IN and OUT may be the same memory (MPI_IN_PLACE): once OUT's block j is written, IN's block j must not be read.
 */
enum slot { SLOT_IN, SLOT_OUT, SLOT_T0, SLOT_T1, SLOT_T2, SLOT_T3, SLOT_T4, SLOTS };

static inline int slot_cell(int rank)
{
    return SLOTS + rank;
}

enum { SLOT_TEXT = 16 };

/* Name of a slot: in, out, t0, .., cell3. Returns the text. */
const char *slot_name(int slot, char text[SLOT_TEXT]);

/*
 * STEP_FOLD_INTO and later kinds occur only in schedules that go through a segment, in rounds 0, 1, .. of the operation. In
 * each round a rank tells the others how far it is, by numbers 1, 2, ..: its turns. It leaves the round when it will not
 * touch the round's cells again. (+) is the operation of the call.
 */
enum step_kind {
    STEP_EXCHANGE,   /* send block a to `to` while b comes in from `from`; either may be NOBODY */
    STEP_FOLD,       /* b = a (+) b; if the shape is ordered, a combines lower ranks than b */
    STEP_COPY,       /* b = a */
    STEP_FOLD_INTO,  /* `into` = a (+) b, where `into` is another slot; b is lost if it is a cell */
    STEP_AWAIT,      /* wait until rank `from` has come to `turn` */
    STEP_AWAIT_ALL,  /* until all ranks have */
    STEP_AWAIT_FREE, /* until all ranks have left the rounds that used this round's cells before */
    STEP_TELL,       /* this rank has come to `turn` */
    STEP_LEAVE
};

#define NOBODY (-1)

/*
 * Consecutive blocks in a slot. In a fold or a copy they may go around the end, from block n-1 to block 0; in a message from
 * or to IN or OUT they may not.
 */
struct piece {
    int slot;
    int64_t block; /* the first: 0 .. n-1 */
    int64_t more;  /* blocks after it: 0 .. w-1 */
};

static inline struct piece one_block(int slot, int64_t block)
{
    return (struct piece){.slot = slot, .block = block};
}

enum { PIECE_TEXT = 44 };

/* A piece's blocks, for people: 3, or 3..5. Returns the text. */
const char *piece_text(int64_t blocks, struct piece piece, char text[PIECE_TEXT]);

struct step {
    enum step_kind kind;
    int64_t when; /* step number, >= 0; in a segment, the round */
    int to, from; /* or NOBODY; from: also the rank that is awaited, or in STEP_AWAIT_FREE the cell's only reader */
    struct piece a;
    struct piece b; /* received, or the second operand and result */
    int into;       /* of STEP_FOLD_INTO: slot of the result */
    int turn;
};

static inline bool step_acts(const struct step *x)
{
    return x->kind >= STEP_FOLD && x->kind <= STEP_FOLD_INTO;
}

/* A local action that goes with every message of a lane, on the message's block. */
struct act {
    uint8_t kind; /* STEP_FOLD, STEP_COPY, or 0 for none */
    uint8_t a, b; /* slots; see SLOT_ALTERNATE */
};

/*
 * A flag on an even scratch slot (T0, T2, ..) of a lane and its actions: block j uses that slot if j is even, else the next
 * one. So a block can be sent on while the next one comes in.
 */
#define SLOT_ALTERNATE 0x40

/* In the order in which lanes act after an exchange. */
enum leg { LEG_SEND, LEG_RECV, LEG_LOCAL };

enum run_peers {
    RUN_ONE_PEER,
    RUN_RING,    /* consecutive ranks of a ring, from the lane's peer on */
    RUN_CHILDREN /* see any_tree.h */
};

/* Messages of a lane that take consecutive steps. A run begins a period after the one before. */
struct lane_run {
    int64_t length; /* messages; 0: the lane has no runs, and each message has the next block */
    int64_t each;   /* by how much the block's number grows within a run: 0 or 1 */
    int64_t next;   /* and from a run's last message to the next run */
    int64_t turn;   /* the message of its first run with which the lane begins */
    enum run_peers peers;
    bool reversed; /* the last peer comes first */
    int ring_first, ring_ranks;
};

/*
 * All messages of this rank in one direction, with one peer or the peers of a run, in one tree. Without runs, message k
 * carries block block + k at step when + k*period. A LEG_LOCAL lane only acts.
 */
struct lane {
    enum leg leg;
    int peer; /* NOBODY for LEG_LOCAL */
    uint8_t slot;
    struct act before[2]; /* in this order */
    struct act after[2];
    int64_t when;   /* of the next message */
    int64_t period; /* steps between two messages or runs, >= 1 and at least as long as a run */
    int64_t block;
    int64_t left; /* messages that remain */
    struct lane_run run;
};

/* The most that any engine needs; the test `capacities` checks that these are reached and never exceeded. */
enum { LANES = 32, SCHEDULE_NUMBERS = 62, PENDING = 6, MOVING = 10 };

struct cursor;
struct trees;

/*
 * One rank's schedule: its lanes or, if a few lanes do not suffice, the engine's `refill`, which finds the messages from
 * `number`. Once made, it does not change; the cursor shows how far a rank has come.
 */
struct schedule {
    /* Puts the rank's next exchange, with its actions, into `pending`. Returns false at the end. */
    bool (*refill)(struct cursor *c, const struct schedule *s);
    void (*beat)(struct cursor *c, const struct schedule *s, int64_t round, int beat);
    struct shape shape;
    int rank;
    int slots;       /* its steps use slots below this one, and cells */
    int64_t rounds;  /* in a segment; 0: it goes through none */
    bool one_reader; /* in a segment: no rank uses a block of a cell while another one reads it */
    int lanes, numbers, children;
    struct lane *lane;
    int64_t *number;  /* of a refill */
    const int *child; /* the ranks of the children; set by schedule_copy() alone */
    /* Copies to `child` the ranks of children first .. first+count-1, in the order of service. For any_tree.h. */
    void (*children_of)(const struct schedule *s, int first, int count, int *child);
    const struct trees *trees;
    int64_t start[MOVING]; /* of a refill: a cursor's first `state` */
};

struct arena {
    struct lane lane[LANES];
    int64_t number[SCHEDULE_NUMBERS];
};

/* The fields are those of struct lane. */
struct cursor_lane {
    int64_t when, block, left, turn;
};

struct cursor {
    struct step pending[PENDING]; /* of the current number; first .. last-1 are not handed out yet */
    int first, last;
    int64_t state[MOVING]; /* of a refill */
    struct cursor_lane lane[LANES];
};

/* The memory has to stay as long as the schedule. */
static inline void schedule_in(struct schedule *s, struct arena *arena)
{
    s->lane = arena->lane;
    s->number = arena->number;
}

bool refill_from_lanes(struct cursor *c, const struct schedule *s);

/* Empties a schedule that has memory. For engine_make(). */
void schedule_clear(struct schedule *s, const struct shape *shape, int rank, int scratch);

/* For engines. Adds a lane, unless lane.left is 0; LANES at most. Two lanes with the same leg must never be due together. */
void schedule_lane(struct schedule *s, struct lane lane);

/* Returns a copy in one stretch of memory, for own_memory_free(), or NULL if memory runs out. */
struct schedule *schedule_copy(const struct schedule *s);

void cursor_begin(struct cursor *c, const struct schedule *s);

/* Hands out the next step of the rank. Returns false at the end. Never allocates, never blocks. */
bool cursor_next(struct cursor *c, const struct schedule *s, struct step *step);

/* For a refill: adds a step to `pending`. */
void cursor_push(struct cursor *c, const struct schedule *s, struct step step);

/*
 * For a refill: adds a fold or copy from slot a to slot b, of the blocks of `piece` (its slot is ignored) or of one block.
 */
void cursor_push_piece(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, struct piece piece);
void cursor_push_act(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, int64_t block);

/* For code that goes through a schedule once; see engine_walk(). */
struct walk {
    struct schedule schedule;
    struct arena arena;
    struct cursor cursor;
};

static inline bool walk_next(struct walk *w, struct step *step)
{
    return cursor_next(&w->cursor, &w->schedule, step);
}

/* The rank `distance` ranks after `rank`, -p <= distance <= p; rank 0 follows rank p-1. */
int rank_after(const struct shape *s, int rank, int64_t distance);

int shape_root(const struct shape *s, int64_t block);

/* Is it a reader? With ports, `rank` is a number on the node. */
bool shape_reads(const struct shape *s, int rank);

bool shape_writes(const struct shape *s, int rank, int64_t block);

static inline int64_t shape_wide(const struct shape *s)
{
    return s->wide > 1 ? s->wide : 1;
}

/* May large blocks of this shape take two cells? In a round of a broadcast with one root, one rank alone writes. */
static inline bool shape_halves(const struct shape *s)
{
    return s->collective == COLL_BCAST && s->roots == 0 && s->ranks > 2 && !s->ports.ranks;
}

/* Do two pieces share memory? All pieces in one scratch slot or cell do. IN and OUT count as the same memory. */
bool pieces_meet(const struct shape *s, struct piece a, struct piece b);
