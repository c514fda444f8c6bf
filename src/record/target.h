/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A report's target: a file, which each report replaces in one step; or standard error, a device or a pipe, for one report.
 * After a failure, a line on standard error says so, and nothing more is written.
 */
#pragma once

#include "output.h"
#include "renderer.h"

struct target {
    struct output out;
    bool open;
    bool replaces; /* a file */
    bool own;
    int advice;
    bool told; /* a line has said that it cannot be written now */
    const struct renderer *renderer;
};

/* Sets the name, absolute if it is a file's. Returns 0 or an errno. */
int target_name(struct target *t, const char *name);

/* Loads the renderer. Creates a file at once, so that no other job takes the name. `error`: of target_name(). */
void target_open(struct target *t, int error);

void target_write_stub(struct target *t, const char *folder);

/* Writes the report of `merged` rank reports; false on failure. m is NULL without memory. *ended: see struct renderer. */
bool target_write(struct target *t, struct merge *m, int merged, bool *ended);
