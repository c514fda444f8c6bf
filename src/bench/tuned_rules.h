/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the file of rules. */
#pragma once

#include "tuning.h"

/* Collective: ends the job if the file cannot be written. Creates no file. */
void tuned_rules_check(const char *name);

/*
 * Collective: writes the file of rules for these winners (tuning.h). If that fails, keeps an old file, and ends the job. If
 * there is no rule, keeps an old file, and returns false on rank 0.
 */
bool tuned_rules_write(const char *name, const struct winner *w, int count, int64_t largest);
