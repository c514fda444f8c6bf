/* SPDX-License-Identifier: BSD-2-Clause */
/* Performs the actions of a call (decision.h) with MPI. */
#pragma once

#include "call.h"
#include "record.h"

struct watched;
struct shadow;
struct verify;

/*
 * A call that is served. The caller sets call, comm, caller, watched and record, which has begun; for serving_perform() also
 * decision.question.facts. Shadow, operation, error and moment are 0 at first.
 */
struct serving {
    const struct call *call;
    struct comm *comm;
    void *caller;                /* return address */
    struct watched *watched;     /* gets the progress; or NULL */
    struct record *record;       /* or NULL */
    struct shadow *shadow;       /* under way; or NULL */
    struct operation *operation; /* for the decision's plan; or NULL */
    struct decision decision;
    uint64_t moment;       /* common start of a trial; or 0 */
    struct view view;      /* after the check of arguments */
    struct verify *verify; /* from ACTION_RESERVE to ACTION_RUN */
    int error;             /* of the call, once it has run */
};

/*
 * A call like the latest of its kind (memo.h), whose decision would begin with ACTION_REPEAT or the native call. May perform
 * it: sets s->error and returns true. Else does nothing. Saves describe() and all that follows.
 */
bool serving_again(struct serving *s);

/*
 * Counts the call if it counts before it runs or, with `ran`, after it, and is valid (`valid`: known to be). Returns true if
 * it has counted.
 */
bool serving_count(const struct call *c, struct comm *comm, const struct facts *f, bool ran, bool valid, int64_t earns);

/* Keeps that the call is native, for a reason that holds for the machine's generation. It has counted before it runs. */
void serving_keep(const struct call *c, struct comm *comm, const struct facts *f, enum reason reason);

/* Performs all actions, and returns the call's result. `reason`: why the call is native, or REASON_NONE. */
int serving_perform(struct serving *s, enum reason reason);

/* The plan of such a call, which does not run. Collective. The call is valid, and policy_quick() gives REASON_NONE. */
struct plan serving_ask(struct serving *s, const struct facts *f);
