/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts, each of which is kept once: its number stands for it. */
#ifndef PLEACH_TEXTS_H
#define PLEACH_TEXTS_H

#include "index.h"

struct texts {
    char **text; /* copies, in the order in which they came */
    int64_t count, room;
    struct index index;
};

/* The number of a text; -1: it is not there. */
int64_t texts_find(const struct texts *t, const char *text);

/* The same; a text that is not there is added. -1: out of memory, but never for a text that is there. */
int64_t texts_add(struct texts *t, const char *text);

void texts_free(struct texts *t);

#endif
