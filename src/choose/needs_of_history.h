/* SPDX-License-Identifier: BSD-2-Clause */
/* The part that history has in the decision for a call, for decision.c. */
#pragma once

#include "decision.h"

static inline bool over(const struct decision *d, enum action action)
{
    return d->heard >> action & 1;
}

/* Returns ACTION_ACQUIRE if the ranks have not acquired what the action needs, else the action. */
static inline enum action acquired(const struct decision *d, enum action action)
{
    return over(d, ACTION_ACQUIRE) ? action : ACTION_ACQUIRE;
}

/* The kind of the call. NULL: history learns nothing from the call, or does not have its kind yet. */
struct kind *kind_of(const struct decision *d);

/* The action that the kind needs before the call. Sets d->kind. */
enum action need_history(struct decision *d);

/* Must history get a new kind for the call? enter() adds the kind. */
bool unentered(const struct decision *d);
void enter(struct decision *d);

/* Puts into d->question what history says about the call. */
void set_question(struct decision *d);
