/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of rules that is written. */
#ifndef PLEACH_RULESFILE_H
#define PLEACH_RULESFILE_H

#include "tuning.h"

/* Collective: ends the job if the file could not be written. Leaves nothing behind. */
void rulesfile_check(const char *name);

/* Collective: writes the rules for these winners (see tuning.h), whole or not at all; ends the job if that fails. */
void rulesfile_write(const char *name, const struct winner *w, int count, int64_t largest);

#endif
