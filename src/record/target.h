/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a report goes: a file, which is replaced in one step, however often it is written; or standard error, a device or a
 * pipe, to which it is written once. What fails is said once, and nothing is written any more.
 */
#ifndef PLEACH_TARGET_H
#define PLEACH_TARGET_H

#include "output.h"
#include "renderer.h"

struct target {
    struct output out;
    bool open;     /* a report can be written */
    bool replaces; /* a file, as often as wanted; out.path is absolute */
    bool advice;   /* the report is what `pleach advise' prints */
    const struct renderer *renderer;
};

/* Finds it, and the renderer. A file is made at once, so that its name is taken. */
void target_open(struct target *t, const char *pattern, int rank, bool advice);

/* Writes the text of a file for the case that the job is killed. `folder`: of its rank reports. */
void target_write_stub(struct target *t, const char *folder);

/* Writes the report of a merge, which ends: true. NULL: there was no memory for one. *ended: as in struct renderer. */
bool target_write(struct target *t, struct merge *m, bool *ended);

#endif
