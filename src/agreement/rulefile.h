/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of rules that PLEACH_RULES names. */
#ifndef PLEACH_RULEFILE_H
#define PLEACH_RULEFILE_H

#include "comm.h"

/*
 * Collective over c, whose rank 0 has PLEACH_RULES set: it reads the file, all ranks parse the same text. Sets found->rules; or
 * found->barred if the file cannot be read or has errors, of which rank 0 tells the first.
 */
void rulefile_read(struct comm *c, struct findings *found);

#endif
