/* SPDX-License-Identifier: BSD-2-Clause */
/* What one rank tells; see part.h. */
#include "part.h"

enum { ALL_KEPT = 256 }; /* calls of a communicator before the first gaps */

bool part_keeps(int64_t number, int64_t *each)
{
    for (*each = 1; number >= ALL_KEPT * *each; *each *= 2)
        ;
    return number % *each == 0;
}

int part_size(int64_t bytes)
{
    int size = bytes > 0 ? 0 : -1;
    while (size >= 0 && INT64_C(1) << size < bytes)
        size++;
    return size;
}

void tally_add(struct tally *t, const struct tally *more)
{
    if (more->calls == 0)
        return;
    if (t->calls == 0)
        t->first = more->first;
    t->least = t->calls == 0 || more->least < t->least ? more->least : t->least;
    t->most = more->most > t->most ? more->most : t->most;
    t->calls += more->calls;
    t->bytes += more->bytes;
    t->seconds += more->seconds;
    t->native += more->native;
    t->engine += more->engine;
    t->predicted += more->predicted;
}
