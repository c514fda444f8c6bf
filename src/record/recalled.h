/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call sites that come again: their frames are read from where the unwinder has found them before. Only one thread of the
 * process has recalled sites, the first that asks.
 */
#pragma once

#include <stdbool.h>

/* Forgets all sites. */
void recalled_forget(void);

/*
 * Fills frame[] as call_site_capture() does, without an unwinder; returns false if it cannot. `here`: the address of a frame
 * of Pleach's on the stack; `caller`: the return address of the intercepted function.
 */
bool recalled_capture(void *here, void *caller, void *frame[]);

/* Keeps the site frame[0 .. frames-1], which the unwinder has just found for `here`. Does so now and then. */
void recalled_learn(void *here, void *const frame[], int frames);
