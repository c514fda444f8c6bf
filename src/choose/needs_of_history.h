/* SPDX-License-Identifier: BSD-2-Clause */
/* What history needs and says in the decision for a call. */
#pragma once

#include "decision.h"

static inline bool over(const struct decision *d, enum action action)
{
    return d->heard >> action & 1;
}

/* The action, or ACTION_ACQUIRE if that has to come first. */
static inline enum action acquired(const struct decision *d, enum action action)
{
    return over(d, ACTION_ACQUIRE) ? action : ACTION_ACQUIRE;
}

/* The call's kind. NULL: nothing to learn, or a kind that is not entered yet. */
struct kind *kind_of(const struct decision *d);

/* The action that the kind needs before the call. Sets d->kind. */
enum action need_history(struct decision *d);

/* Is a new kind to be entered? enter() does it. */
bool unentered(const struct decision *d);
void enter(struct decision *d);

void set_question(struct decision *d);
