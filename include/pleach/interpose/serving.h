/* SPDX-License-Identifier: BSD-2-Clause */
/* Performs the actions of a call (decision.h) with MPI. */
#ifndef PLEACH_SERVING_H
#define PLEACH_SERVING_H

#include "call.h"
#include "record.h"

struct watched;
struct shadow;

/* A call on its way through its actions. The caller sets the first seven, and decision.question.facts. */
struct serving {
    const struct call *call;
    struct comm *comm;
    void *caller;                /* return address of the intercepted call */
    struct watched *watched;     /* gets the progress of the call, or NULL */
    struct record *record;       /* the call's, or NULL: it is not recorded */
    struct shadow *shadow;       /* the shadow trial under way, or NULL */
    struct operation *operation; /* the prepared operation of the decision's plan, or NULL */
    struct decision decision;
    struct view view;        /* set once the arguments were found valid */
    const struct kind *kind; /* the kind in which the call counts, or NULL; set once it runs */
    int error;               /* the MPI function's return value; set once the call has run */
};

/* Takes all actions of a described call. Returns the MPI function's return value. */
int serving_take(struct serving *s, enum reason reason);

/*
 * Returns the plan that the library would run for the next call: takes the call's actions until the plan is known, and runs
 * nothing. Collective, as the call would be. For valid arguments for which policy_quick() gives REASON_NONE.
 */
struct plan serving_ask(struct serving *s, const struct facts *f);

#endif
