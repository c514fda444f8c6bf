/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the sentences that say whether Pleach helps a program: after a dry run, and after any other run. */
#pragma once

#include "advice_sums.h"

#include <stddef.h>

/* The words of the sentence for a job whose times mean nothing. */
#define CROWDED "more ranks than cores on a node, where times mean nothing"

/* A saving or a loss below this fraction of the run's time does not matter. */
#define WORTH 0.01

/*
 * Writes the sentence to text[size]. `how` says in the imperative how the user gets the saving: "unset PLEACH_DRY_RUN".
 * Needs a locale with decimal points.
 */
void verdict(const struct job *j, const struct advice_totals *s, const char *how, char *text, size_t size);

/* Have trials measured most of what is saved? Else the model predicts it. */
bool verdict_measured(const struct advice_totals *s);

/* Writes the sentence that says what a run that was not dry has gained or lost by Pleach. Sets the locale that it needs. */
enum { GAIN = 512 };
void verdict_gain(const struct job *j, const struct advice_totals *s, char text[GAIN]);
