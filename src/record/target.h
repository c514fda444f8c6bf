/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target of a report: a file, which each report replaces in one step; or standard error, a device or a pipe, which gets
 * one report. After a failure, a line on standard error says so, and nothing more is written.
 */
#pragma once

#include "output.h"
#include "renderer.h"

struct target {
    struct output out;
    bool open;     /* a report can be written */
    bool replaces; /* the target is a file */
    bool own;      /* the report is this rank's own */
    bool advice;   /* the report is what `pleach advise` prints */
    bool told;     /* a line has said that the file cannot be written now */
    const struct renderer *renderer;
};

/* Sets the target's name, which is absolute if it is a file's. Returns 0 or an errno. A report may have several targets. */
int target_name(struct target *t, const char *name);

/*
 * Opens the target that has a name, and loads the renderer. Creates a file at once, so that no other job takes its name.
 * `error`: that of target_name().
 */
void target_open(struct target *t, int error);

/* Writes the text that a file has until there is a report. This text names the folder of rank reports. */
void target_write_stub(struct target *t, const char *folder);

/*
 * Ends a merge of `merged` rank reports and writes its report; false if that fails. m is NULL if memory has run out. *ended:
 * as in struct renderer.
 */
bool target_write(struct target *t, struct merge *m, int merged, bool *ended);
