/* SPDX-License-Identifier: BSD-2-Clause */
/* The actions of a call, performed with MPI: what decision.h says is to be done, and who does it. */
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
    struct watched *watched;     /* where to tell how far the call is, or NULL */
    struct record *record;       /* the call's, or NULL: it is not recorded */
    struct shadow *shadow;       /* the shadow trial under way; NULL */
    struct operation *operation; /* for the decision's plan, once it is prepared; NULL */
    struct decision decision;
    struct view view;        /* once the arguments were found valid */
    const struct kind *kind; /* in which it counts, or NULL; once it runs */
    int error;               /* what the MPI function shall return, once it has run */
};

/* Takes the actions of a call that is described, to the end. Returns what the MPI function shall return. */
int serving_take(struct serving *s, enum reason reason);

/*
 * Collective, as the call would be, whose arguments are valid and which policy_quick() leaves open: takes its actions until
 * the plan is known, and runs nothing. What the library would do with the next call.
 */
struct plan serving_ask(struct serving *s, const struct facts *f);

#endif
