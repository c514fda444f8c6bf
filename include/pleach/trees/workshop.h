/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory in which engines make trees over places: one in a process, with room for its largest places, which reserve it
 * when they are made. So making a tree neither allocates nor fails. Threads enter it by turns.
 */
#pragma once

#include "tree_cache.h"
#include "tree_pair.h"

struct workshop {
    struct tree_pair pair;
    struct tree_cache cache;
};

/* Makes room for `ranks` >= 1. False if memory is short. */
bool workshop_reserve(int ranks);

/* Forgets all trees. For changed figures of places. */
void workshop_forget(void);

/* Forgets all trees, and undoes a workshop_reserve(); the last call frees the memory. */
void workshop_release(void);

/* Keeps other threads out until workshop_leave(). */
struct workshop *workshop_enter(void);
void workshop_leave(void);
