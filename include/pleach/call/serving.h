/* SPDX-License-Identifier: BSD-2-Clause */
/* Performs the actions of a call (decision.h) with MPI. */
#pragma once

#include "call.h"
#include "record.h"

struct watched;
struct shadow;
struct verify;

/*
 * A call that is served. The caller sets call, comm, caller, watched and record, which has begun. For serving_perform() it
 * also
 * sets decision.question.facts; the fields shadow, operation, error and moment are 0 at first.
 */
struct serving {
    const struct call *call;
    struct comm *comm;
    void *caller;                /* return address of the intercepted call */
    struct watched *watched;     /* gets the progress of the call, or NULL */
    struct record *record;       /* of this call; NULL if it is not recorded */
    struct shadow *shadow;       /* the shadow trial under way, or NULL */
    struct operation *operation; /* the prepared operation of the decision's plan, or NULL */
    struct decision decision;
    uint64_t moment;       /* at which a trial begins on all ranks; 0 if the call has none yet */
    struct view view;      /* set after the check of the arguments */
    struct verify *verify; /* memory to verify the call; set between ACTION_RESERVE and ACTION_RUN */
    int error;             /* the MPI function's return value; set once the call has run */
};

/*
 * Programs repeat their calls. If the arguments are those of the latest call of this kind (memo.h), and the decision about
 * this call would begin with ACTION_REPEAT, or with the native call, this function may perform the action. It then sets the
 * call's result in s->error, and returns true. Otherwise it does nothing, and returns false. This saves describe() and all
 * that follows.
 */
bool serving_again(struct serving *s);

/*
 * Counts the call as made, if it counts before it runs or, with `ran`, afterwards, and is valid. `valid`: it is known to be.
 * Returns true if it has counted.
 */
bool serving_count(const struct call *c, struct comm *comm, const struct facts *f, bool ran, bool valid, int64_t earns);

/*
 * Keeps that a call is native, for a reason that holds as long as the machine has the same generation. The call has counted
 * before it runs.
 */
void serving_keep(const struct call *c, struct comm *comm, const struct facts *f, enum reason reason);

/* Performs all actions of a described call, and returns its result. `reason`: REASON_NONE, or why the call is native. */
int serving_perform(struct serving *s, enum reason reason);

/*
 * Returns the plan that the library would run for a call with these facts. Performs the actions of such a call until the
 * plan is known, but does not run the call. Collective, as the call is. Needs a valid call for which policy_quick() gives
 * REASON_NONE.
 */
struct plan serving_ask(struct serving *s, const struct facts *f);
