/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentence that says whether Pleach is worth it for a program, as the job of a dry run shows. */
#ifndef PLEACH_VERDICT_H
#define PLEACH_VERDICT_H

#include "advice_sums.h"

#include <stddef.h>

/* The words of the sentence for a job whose times mean nothing. */
#define CROWDED "more ranks than cores on a node, where times mean nothing"

/* The part of the run below which a saving or a loss does not matter. */
#define WORTH 0.01

/*
 * Writes the sentence to text[size]. `how` says in the imperative how the user gets the saving: "unset PLEACH_DRY_RUN".
 * Needs a locale with decimal points.
 */
void verdict(const struct job *j, const struct advice_totals *s, const char *how, char *text, size_t size);

#endif
