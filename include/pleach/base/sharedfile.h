/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file in memory that processes of one machine share. One process makes it and offers it, the others open it, and each
 * maps it. Each process allocates its range of the file before it maps the file, so memory cannot run out later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How processes get the same file. If one way fails, the caller tries the next one. */
enum shared_way {
    SHARED_UNNAMED, /* memfd_create(); the others open the maker's descriptor in /proc, if they have the right to */
    SHARED_NAMED,   /* a file in /dev/shm with a random name, which lasts until shared_withdraw() */
    SHARED_WAYS
};

/* The description of the file, which the maker sends to the others as bytes. */
struct shared_offer {
    int64_t bytes;
    uint64_t device, inode; /* of the file; on another host or in another container, the path may lead to a different file */
    bool named;             /* true for SHARED_NAMED */
    char path[63];          /* the path at which the others open the file */
};

/* Makes a file of `bytes` bytes. Returns its descriptor or, on failure, -1 with errno; then there is nothing to withdraw. */
int shared_make(enum shared_way way, int64_t bytes, struct shared_offer *offer);

/* Opens the file that is offered. On failure returns -1 with errno, which is ESTALE if the path leads to another file. */
int shared_open(const struct shared_offer *offer);

/* Removes the file's name, if it has one. The maker calls it once each of the others has opened the file or has given up. */
void shared_withdraw(const struct shared_offer *offer);

/*
 * Allocates the range [from, from + length) of the file near the core that runs this call, and maps the whole file. Touches
 * the pages of the range, so later accesses to them cause no page faults. The pages contain zeros. A child of fork() does
 * not have the mapping. munmap() removes the mapping; the caller may close the descriptor earlier. If memory is short, or if
 * the process has reached a limit, returns NULL with errno.
 */
char *shared_map(int file, int64_t bytes, int64_t from, int64_t length);

uint64_t shared_random(void);

/* What a user can do about an errno of these functions. */
const char *shared_remedy(enum shared_way way, int error);
