/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the file of rules. */
#ifndef PLEACH_RULESFILE_H
#define PLEACH_RULESFILE_H

#include "tuning.h"

/* The name of the file: `output` or, if that ends with '/', the file in this folder that serves jobs like this one. */
const char *rulesfile_name(const char *output);

/* Collective: ends the job if the file cannot be written. Leaves no file. */
void rulesfile_check(const char *name);

/* Collective: writes the whole file of rules for these winners (tuning.h), or ends the job and leaves the file as it was. */
void rulesfile_write(const char *name, const struct winner *w, int count, int64_t largest);

#endif
