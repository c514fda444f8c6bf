/* SPDX-License-Identifier: BSD-2-Clause */
/* See texts.h. */
#include "texts.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const void *entries, int64_t entry, const void *key)
{
    return strcmp(((char *const *)entries)[entry], key) == 0;
}

static int64_t find(const struct texts *t, uint64_t hash, const char *text)
{
    return index_find(&t->index, hash, same_text, t->text, text);
}

int64_t texts_find(const struct texts *t, const char *text)
{
    return find(t, mix64(hash_text(text)), text);
}

int64_t texts_add(struct texts *t, const char *text)
{
    const uint64_t hash = mix64(hash_text(text));
    const int64_t found = find(t, hash, text);
    if (found >= 0)
        return found;
    if (!array_reserve(&t->text, &t->room, t->count + 1, sizeof *t->text) || !index_reserve(&t->index, t->count + 1) ||
        !(t->text[t->count] = strdup(text)))
        return -1;
    index_add(&t->index, hash, t->count);
    return t->count++;
}

void texts_free(struct texts *t)
{
    for (int64_t i = 0; i < t->count; i++)
        free(t->text[i]);
    free(t->text);
    free(t->index.slot);
}
