/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether Pleach is worth it for a program, in a sentence, from the job of a dry run. */
#ifndef PLEACH_VERDICT_H
#define PLEACH_VERDICT_H

#include "advice_sums.h"

#include <stddef.h>

/* Where times mean nothing. */
#define CROWDED "more ranks than cores on a node, where no time tells anything"

/* The part of the run below which saving or losing does not matter. */
#define WORTH 0.01

/*
 * Writes the sentence to text[size]. `how`: how the user gets what is promised, as an imperative: "unset PLEACH_DRY_RUN". It
 * needs a locale with decimal points.
 */
void verdict(const struct job *j, const struct advice_totals *s, const char *how, char *text, size_t size);

#endif
