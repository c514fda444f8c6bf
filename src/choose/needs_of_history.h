/* SPDX-License-Identifier: BSD-2-Clause */
/* The part that history has in the decision for a call, for decision.c. */
#ifndef PLEACH_NEEDS_OF_HISTORY_H
#define PLEACH_NEEDS_OF_HISTORY_H

#include "decision.h"

static inline bool over(const struct decision *d, enum action action)
{
    return d->heard >> action & 1;
}

/* The action, once what is needed for it has been acquired. */
static inline enum action acquired(const struct decision *d, enum action action)
{
    return over(d, ACTION_ACQUIRE) ? action : ACTION_ACQUIRE;
}

/* The kind of the call, or NULL: nothing is learned from the call, or its kind has not been entered yet. */
struct kind *kind_of(const struct decision *d);

/* The action that the kind needs before the call. Sets d->kind. */
enum action need_history(struct decision *d);

/* Is there a kind to be entered? */
bool unentered(const struct decision *d);
void enter(struct decision *d);

/* Sets what history says for the question. */
void set_question(struct decision *d);

#endif
