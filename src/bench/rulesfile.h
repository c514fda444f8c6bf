/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of rules that is written. */
#ifndef PLEACH_RULESFILE_H
#define PLEACH_RULESFILE_H

#include "tuning.h"

/* The file to write: `output`, or where that ends with '/', the one in this folder for jobs like this one. */
const char *rulesfile_name(const char *output);

/* Collective: ends the job if the file could not be written. Leaves nothing behind. */
void rulesfile_check(const char *name);

/* Collective: writes the rules for these winners (see tuning.h), whole or not at all; ends the job if that fails. */
void rulesfile_write(const char *name, const struct winner *w, int count, int64_t largest);

#endif
