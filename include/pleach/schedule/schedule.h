/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Schedules: what one rank does in one collective operation, one step at a time.
 *
 * A schedule is pure arithmetic: no MPI, no allocation. It obeys one invariant, which makes it free of deadlock under strict
 * rendezvous. Every message has a global step number `when` that each of its two ends computes by itself. A rank performs
 * its messages in increasing `when`. It has at most one send and one receive of the same `when`, and merges these two into
 * one exchange. Take the unfinished message of the smallest `when`: both its ends have finished all earlier messages, so
 * both have posted this one, and it completes. Numbers may be skipped; only their order matters.
 */
#pragma once

#include "collective.h"

#include <stdint.h>

/* Cells of full size of each rank in a segment, the memory that the ranks of a node share. */
enum { SEGMENT_DEPTH = 8 };

/* Such cells that blocks of several nodes may take together: half of a rank's memory, so that calls need not wait. */
enum { SEGMENT_NODES = SEGMENT_DEPTH / 2 };

/* The ranks that get the message of a broadcast: all, rank `reader` alone, or all but that rank. */
enum readers { READERS_ALL, READERS_ONE, READERS_OTHERS };

struct places;

/*
 * The ports of nodes, in a stage between nodes in which all ranks of a node take part (multiport.c). `most' and `used' are
 * the same on all nodes.
 */
struct ports {
    int most;  /* ranks of each node that may exchange messages; in a whole call, too; 0: there can be no such stage */
    int used;  /* k: ranks that do so, the first ones of each node */
    int self;  /* the number of the calling rank on its node */
    int ranks; /* of this node; 0 but in schedules of such a stage */
};

/* One collective operation as a schedule sees it: equal on all ranks, or on the ranks of a node if there are ports. */
struct shape {
    enum collective collective;
    bool ordered; /* operands must be combined in rank order; false: any order, each rank once */
    int ranks;    /* p >= 1 */
    int root;     /* 0 for collectives without one */
    int roots;    /* L >= 1: the message has L parts (cut.h), and rank (root + j) % p is the root of part j; 0: one root */
    enum readers readers; /* of a broadcast; READERS_ALL in other collectives */
    int reader;           /* the rank that `readers` names, alone or as the exception; see also `ports` */
    struct ports ports;   /* ranks of the shape are nodes then, and `reader` is the rank that has this node's operand */
    int64_t blocks;       /* n >= 1; block numbers are 0 .. n-1 */
    int64_t wide;         /* w, the most blocks in a piece; 0 means 1 */
    int group;            /* r >= 1, the ranks in a group of a fractional tree; 0: the engine finds r */
    int node_ranks;       /* >= 1: rank r lies on node r / node_ranks, the last node may have fewer; 0: any other layout */
    int depth;            /* d >= 2, rounds for which each rank has cells in the segment that all share; 0: there is none */
    int lanes;            /* >= 1, the most lanes over nodes whose ranks share memory; 0: there can be none */
    const struct places *places; /* the tree of places; its positions are the ranks of the shape; NULL: unknown */
};

/* Must the shape keep the order of operands at a root that is neither the first nor the last rank? */
static inline bool shape_interior(const struct shape *s)
{
    return collective_flow(s->collective) == FLOW_ALL_TO_ONE && s->ordered && s->root != 0 && s->root != s->ranks - 1;
}

/*
 * The buffer of a block. IN is the send buffer and never written. OUT is the result; it is written only where MPI lets it be
 * written (see collective_writes()). A broadcast has OUT alone: at the root it holds the message. T0.. are scratch slots;
 * each has room for one piece, and a new piece overwrites it. The numbers from SLOTS on are cells, in the memory that all
 * ranks share: slot_cell(r) is a cell of rank r.
 *
 * IN and OUT may be the same memory (MPI_IN_PLACE): once OUT's block j is written, IN's block j must not be read.
 */
enum slot { SLOT_IN, SLOT_OUT, SLOT_T0, SLOT_T1, SLOT_T2, SLOT_T3, SLOT_T4, SLOTS };

static inline int slot_cell(int rank)
{
    return SLOTS + rank;
}

enum { SLOT_TEXT = 16 };

/* Name of a slot as `pleach schedule` prints it: in, out, t0, .., cell3. Returns the text. */
const char *slot_name(int slot, char text[SLOT_TEXT]);

/*
 * STEP_FOLD_INTO and the kinds after it occur only in schedules that go through a segment (segment.h), in rounds 0, 1, .. of
 * the operation. In each round a rank tells the others how far it is, by numbers 1, 2, ..: its turns. It leaves the round
 * when it will not touch the round's cells again. (+) is the operation of the call.
 */
enum step_kind {
    STEP_EXCHANGE,   /* send block a to rank `to` while block b comes in from rank `from`; either may be NOBODY */
    STEP_FOLD,       /* b = a (+) b; if the shape is ordered, a combines lower ranks than b */
    STEP_COPY,       /* b = a */
    STEP_FOLD_INTO,  /* `into` = a (+) b, where `into` is another slot; b is lost if it is a cell */
    STEP_AWAIT,      /* wait until rank `from` has come to `turn` */
    STEP_AWAIT_ALL,  /* wait until all ranks have come to `turn` */
    STEP_AWAIT_FREE, /* wait until all ranks have left the earlier rounds that used this round's cells; see `from` */
    STEP_TELL,       /* tell the other ranks that this rank has come to `turn` */
    STEP_LEAVE       /* leave the round */
};

#define NOBODY (-1)

/*
 * One or more consecutive blocks in a slot. In a fold or a copy they may go around the end, from block n-1 to block 0. In a
 * message from or to IN or OUT they may not: a message is one stretch of memory.
 */
struct piece {
    int slot;      /* enum slot */
    int64_t block; /* the first: 0 .. n-1 */
    int64_t more;  /* blocks after it: 0 .. w-1; 0 in most engines */
};

static inline struct piece one_block(int slot, int64_t block)
{
    return (struct piece){.slot = slot, .block = block};
}

enum { PIECE_TEXT = 44 };

/* The numbers of a piece's blocks, for people: 3, or 3..5; 5..1 of n = 7 goes around the end. Returns the text. */
const char *piece_text(int64_t blocks, struct piece piece, char text[PIECE_TEXT]);

struct step {
    enum step_kind kind;
    int64_t when;   /* global step number of an exchange, >= 0; the round of a step that goes through a segment */
    int to, from;   /* ranks of an exchange, or NOBODY; from: the rank that is awaited, or the cell's only reader */
    struct piece a; /* sent, or the first operand */
    struct piece b; /* received, or the second operand and result */
    int into;       /* of STEP_FOLD_INTO: slot of the result, which has the same blocks */
    int turn;       /* the turn that is awaited, or that this rank has come to */
};

/* Is the step a fold or a copy? Then it waits for nobody. */
static inline bool step_acts(const struct step *x)
{
    return x->kind >= STEP_FOLD && x->kind <= STEP_FOLD_INTO;
}

/* A local action that goes with every message of a lane, on the message's own block. */
struct act {
    uint8_t kind; /* STEP_FOLD, STEP_COPY, or 0 (STEP_EXCHANGE) for none */
    uint8_t a, b; /* slots; see SLOT_ALTERNATE */
};

/*
 * A flag on an even scratch slot (T0, T2, ..) of a lane: block j uses that slot if j is even, and the next slot if j is
 * odd. So a block can be sent on while the next block comes in. The lane's actions need the flag, too. A lane needs no flag
 * if the blocks that are sent and those that come in have different slots.
 */
#define SLOT_ALTERNATE 0x40

/* The use of a lane, in the order in which lanes act after an exchange. */
enum leg { LEG_SEND, LEG_RECV, LEG_LOCAL };

/* The peers of a run's messages, one after the other. */
enum run_peers {
    RUN_ONE_PEER,
    RUN_RING,    /* consecutive ranks, from the lane's peer on; the first rank of the ring follows its last */
    RUN_CHILDREN /* the schedule's children; see any_tree.h */
};

/* Messages of a lane that take consecutive steps. A run begins a period after the one before. */
struct lane_run {
    int64_t length; /* messages, >= 1; 0: the lane has no runs, and each message has the next block */
    int64_t each;   /* by how much the block's number grows from a message to the next one of its run: 0 or 1 */
    int64_t next;   /* by how much it grows from the last message of a run to the first message of the next run */
    int64_t turn;   /* the lane begins with this message of its first run; 0: it has the whole run */
    enum run_peers peers;
    bool reversed;              /* the last peer comes first */
    int ring_first, ring_ranks; /* of RUN_RING */
};

/*
 * A lane: all messages of this rank in one direction, with one peer or with the peers of a run, in one tree. Without runs
 * its k-th message carries block block + k and has the step number when + k*period. A LEG_LOCAL lane exchanges nothing and
 * only acts.
 */
struct lane {
    enum leg leg;
    int peer;             /* rank at the other end; NOBODY for LEG_LOCAL */
    uint8_t slot;         /* of the messages' blocks */
    struct act before[2]; /* done before the message, in this order */
    struct act after[2];  /* done after the message, in this order */
    int64_t when;         /* step number of the next message */
    int64_t period;       /* steps between two messages or runs, >= 1 and at least as long as a run */
    int64_t block;        /* block of the next message */
    int64_t left;         /* messages that remain */
    struct lane_run run;
};

/*
 * Capacities, which follow from the engine that needs most; the test `capacities` checks that they are reached and never
 * exceeded. With p near 2^31, binomial and mesh have a lane for each of 31 dimensions and one more, and circulant has two
 * numbers for each of 31 rounds. A round of a scan by node-line has PENDING steps. Butterfly has MOVING values in `state`.
 */
enum { LANES = 32, SCHEDULE_NUMBERS = 62, PENDING = 6, MOVING = 10 };

struct cursor;
struct trees;

/*
 * One rank's schedule: its lanes. If an engine's messages do not fit into a few lanes, the engine sets `refill` instead, a
 * function that finds the rank's messages from the numbers in `number`. Once made, a schedule does not change; the cursor
 * shows how far a rank has come in it.
 */
struct schedule {
    /* Puts the rank's next exchange, with its actions, into the cursor's `pending`. Returns false at the end. */
    bool (*refill)(struct cursor *c, const struct schedule *s);
    void (*beat)(struct cursor *c, const struct schedule *s, int64_t round, int beat); /* for node_steps.h */
    struct shape shape;
    int rank;
    int slots;                    /* its steps use slots below this one, and cells */
    int64_t rounds;               /* in a segment; 0: it goes through none */
    bool one_reader;              /* in a segment: no rank uses a block of a cell while another one reads it */
    int lanes, numbers, children; /* how many there are of each */
    struct lane *lane;
    int64_t *number;  /* for a refill; each engine defines their meaning */
    const int *child; /* set by schedule_copy() alone: the ranks of the children; see any_tree.h */
    /* If there are children: copies to `child` those number first .. first+count-1, in the order of service. */
    void (*children_of)(const struct schedule *s, int first, int count, int *child);
    const struct trees *trees; /* of the service; see engine.h */
    int64_t start[MOVING];     /* for a refill: the first values of a cursor's `state` */
};

/* Memory for the lanes and numbers of any schedule. */
struct arena {
    struct lane lane[LANES];
    int64_t number[SCHEDULE_NUMBERS];
};

/* How far a rank has come in a lane. The fields are those of struct lane. */
struct cursor_lane {
    int64_t when, block, left, turn;
};

/* How far a rank has come in its schedule. */
struct cursor {
    struct step pending[PENDING]; /* the steps of the current number; first .. last-1 are not handed out yet */
    int first, last;
    int64_t state[MOVING]; /* for a refill; each engine defines their meaning */
    struct cursor_lane lane[LANES];
};

/* Gives a schedule its memory, which has to stay as long as the schedule. */
static inline void schedule_in(struct schedule *s, struct arena *arena)
{
    s->lane = arena->lane;
    s->number = arena->number;
}

/* The refill of schedules that are lanes. */
bool refill_from_lanes(struct cursor *c, const struct schedule *s);

/* Empties a schedule that has memory; `rank` will use `scratch` scratch slots. For engine_make(). */
void schedule_clear(struct schedule *s, const struct shape *shape, int rank, int scratch);

/*
 * For engines. Adds a lane, unless lane.left is 0. A schedule has at most LANES lanes. The engine ensures that a rank has at
 * most one send and one receive in a step: two lanes with the same leg are never due together.
 */
void schedule_lane(struct schedule *s, struct lane lane);

/* Returns a copy that needs no arena: one stretch of memory, for own_memory_free(). Returns NULL if memory runs out. */
struct schedule *schedule_copy(const struct schedule *s);

void cursor_begin(struct cursor *c, const struct schedule *s);

/* Hands out the next step of the rank. Returns false at the end. Never allocates, never blocks. */
bool cursor_next(struct cursor *c, const struct schedule *s, struct step *step);

/* For a refill: adds a step to `pending`, which has room for PENDING steps. */
void cursor_push(struct cursor *c, const struct schedule *s, struct step step);

/*
 * For a refill: both functions add a fold or copy from slot a to slot b. The first one takes the blocks of `piece`, whose
 * slot it ignores; the second one takes one block.
 */
void cursor_push_piece(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, struct piece piece);
void cursor_push_act(struct cursor *c, const struct schedule *s, enum step_kind kind, int a, int b, int64_t block);

/* A schedule, its memory and a cursor, for code that goes through it once; see engine_walk(). */
struct walk {
    struct schedule schedule;
    struct arena arena;
    struct cursor cursor;
};

static inline bool walk_next(struct walk *w, struct step *step)
{
    return cursor_next(&w->cursor, &w->schedule, step);
}

/*
 * The rank that comes `distance` ranks after `rank`, where -p <= distance <= p and rank 0 follows rank p-1. The distance
 * -root gives the rank's position relative to the root.
 */
int rank_after(const struct shape *s, int rank, int64_t distance);

/* The root of a block. */
int shape_root(const struct shape *s, int64_t block);

/* Is it one of the readers? With ports, `rank` is the number of a rank on its node. */
bool shape_reads(const struct shape *s, int rank);

/* Does the rank get a result in this block, so that OUT may be written there? */
bool shape_writes(const struct shape *s, int rank, int64_t block);

/* The most blocks in a piece. */
static inline int64_t shape_wide(const struct shape *s)
{
    return s->wide > 1 ? s->wide : 1;
}

/*
 * Do the blocks of this shape take two cells, if they are large? One rank writes in each round of a broadcast with one root,
 * so the cells of another rank are free in that round. Then the root may be ahead by twice as many rounds.
 */
static inline bool shape_halves(const struct shape *s)
{
    return s->collective == COLL_BCAST && s->roots == 0 && s->ranks > 2 && !s->ports.ranks;
}

/* Do two pieces share memory? All pieces in one scratch slot or cell do. IN and OUT count as the same memory. */
bool pieces_meet(const struct shape *s, struct piece a, struct piece b);
