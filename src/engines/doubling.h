/* SPDX-License-Identifier: BSD-2-Clause */
/* Scans by doubling among some of the ranks, for the engines doubling and smp-phases; see doubling.c. */
#pragma once

#include "schedule.h"

/* The use of cursor.state: the block, and the step of that block. */
enum { BLOCK, STEP };

/* For a refill: calls step() for t = 0 .. steps of each block, until a call has pushed a step. False: no block is left. */
bool doubling_refill(struct cursor *c, const struct schedule *s, int steps,
                     void (*step)(struct cursor *c, const struct schedule *s, int t));

/* The ranks that take part. Position v of `count` is rank first + v*stride, but at most p-1. */
struct team {
    int64_t first;
    int stride, count;
    int v;        /* this rank's position */
    int64_t when; /* the number of the step */
    int arrived;  /* the slot into which operands come */
};

/* Pushes an exchange: slot a goes to the position `skip` ahead, slot b comes from the position `skip` before. */
void doubling_exchange(struct cursor *c, const struct schedule *s, const struct team *team, int skip, bool sends, int a,
                       bool receives, int b);

/* Pushes round t of an exclusive scan of the operands in slot `own`, into `slot`. */
void doubling_exscan(struct cursor *c, const struct schedule *s, const struct team *team, int t, int own, int slot);

/*
 * Pushes round t of the scan, from IN into OUT. Round 0 begins with a copy of the input, if one is needed: to OUT in a scan,
 * to T0 in an exclusive scan.
 */
void doubling_round(struct cursor *c, const struct schedule *s, const struct team *team, int t);

/* In an exclusive scan: T0 on ranks that both send and receive, else IN. */
int doubling_input(const struct schedule *s);

/* e(p), the rounds of an exclusive scan. */
int exscan_rounds(int p);
