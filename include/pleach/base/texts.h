/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of texts, which numbers them. Equal texts are kept once and have one number. */
#pragma once

#include "index.h"

struct texts {
    char **text; /* copies, in the order in which they came */
    int64_t count, room;
    struct index index;
};

/* The number of a text; -1 if it is not in the set. */
int64_t texts_find(const struct texts *t, const char *text);

/* The number of a text, which is added if it is not in the set yet; -1 if there is no memory to add it. */
int64_t texts_add(struct texts *t, const char *text);

void texts_free(struct texts *t);
