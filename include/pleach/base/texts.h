/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of texts, by number. */
#pragma once

#include "index.h"

struct texts {
    char **text;
    int64_t count, room;
    struct index index;
};

/* Returns -1 if it is not there. */
int64_t texts_find(const struct texts *t, const char *text);

/* Adds a new one. Returns -1 without memory. */
int64_t texts_add(struct texts *t, const char *text);

void texts_free(struct texts *t);
