/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file in memory that processes of one machine share: one makes and offers it, others open it, each maps it. Each
 * allocates its range before, so memory cannot run out later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* If one way fails, the caller tries the next. */
enum shared_way {
    SHARED_UNNAMED, /* memfd_create(); the others open it in /proc, if they have the right to */
    SHARED_NAMED,   /* a file in /dev/shm with a random name, until shared_withdraw() */
    SHARED_WAYS
};

/* Sent to the others as bytes. */
struct shared_offer {
    int64_t bytes;
    uint64_t device, inode; /* in another container, the path may lead elsewhere */
    bool named;
    char path[63];
};

/* Returns a descriptor, or -1 with errno; then there is nothing to withdraw. */
int shared_make(enum shared_way way, int64_t bytes, struct shared_offer *offer);

/* Returns a descriptor, or -1 with errno, which is ESTALE for another file. */
int shared_open(const struct shared_offer *offer);

/* Removes the name, once each of the others has opened it or given up. */
void shared_withdraw(const struct shared_offer *offer);

/*
 * Allocates [from, from + length) near this core, touches its pages, which are zeros, and maps the whole file. A child of
 * fork() lacks the mapping. munmap() ends it; the descriptor may be closed earlier. Returns NULL with errno if memory or a
 * limit is short.
 */
char *shared_map(int file, int64_t bytes, int64_t from, int64_t length);

uint64_t shared_random(void);

/* What the user can do. */
const char *shared_remedy(enum shared_way way, int error);
