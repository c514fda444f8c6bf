/* SPDX-License-Identifier: BSD-2-Clause */
/* Call sites that come again are read from where the unwinder found their frames. For one thread, the first that asks. */
#pragma once

#include <stdbool.h>

void recalled_forget(void);

/*
 * Does what call_site_capture() does, or returns false. `here`: a frame of Pleach; `caller`: the function's return address.
 */
bool recalled_capture(void *here, void *caller, void *frame[]);

/* Keeps, now and then, a site that the unwinder has found for `here`. */
void recalled_learn(void *here, void *const frame[], int frames);
