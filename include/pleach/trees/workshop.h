/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The workshop: the memory in which engines make trees over places. A process has one workshop, with room for trees over its
 * largest places. Places reserve this memory when they are made. So making a tree over them neither allocates nor fails. The
 * workshop keeps the tree pair and the tree of any degree that were made last. Threads enter it by turns.
 */
#pragma once

#include "tree_cache.h"
#include "tree_pair.h"

struct workshop {
    struct tree_pair pair;
    struct tree_cache cache;
};

/* Makes room for new places of `ranks` >= 1 ranks. Returns false if memory is short. */
bool workshop_reserve(int ranks);

/* Forgets all trees. Call it when the figures of places change. */
void workshop_forget(void);

/* Forgets all trees. Call it when places that have reserved memory are freed. The last such call frees the memory. */
void workshop_release(void);

/* Waits for other threads, and keeps them out until workshop_leave(). */
struct workshop *workshop_enter(void);
void workshop_leave(void);
