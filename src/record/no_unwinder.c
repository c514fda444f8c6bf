/* SPDX-License-Identifier: BSD-2-Clause */
/* Without libunwind; see unwinder.h. */
#include "unwinder.h"

#include "say.h"

int (*unwinder_frames)(void **frames, int size);

bool unwinder_open(void)
{
    say("built without libunwind; a call site is the caller's address alone");
    return false;
}

bool unwinder_name(uintptr_t ip, char *name, size_t size, uintptr_t *offset)
{
    (void)ip, (void)name, (void)size, (void)offset;
    return false;
}

void unwinder_walk(int most, bool (*each)(void *to, void *ip, void *const *stack), void *to)
{
    (void)most, (void)each, (void)to;
}
