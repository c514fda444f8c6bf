/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file in memory that processes of one machine share: one makes it and offers it, the others open what is offered, and
 * each maps it. No memory of it is lacking later: every process allocates its range before it maps the file.
 */
#ifndef PLEACH_SHAREDFILE_H
#define PLEACH_SHAREDFILE_H

#include <stdbool.h>
#include <stdint.h>

/* How processes come to share the file. A caller that fails with one way tries the next. */
enum shared_way {
    SHARED_UNNAMED, /* memfd_create(); the others open the maker's descriptor in /proc, which takes rights over the maker */
    SHARED_NAMED,   /* in /dev/shm, under a random name, until it is withdrawn */
    SHARED_WAYS
};

/* What the maker tells the others, byte by byte. */
struct shared_offer {
    int64_t bytes;
    uint64_t device, inode; /* of the file: the path may lead to another one elsewhere */
    bool named;             /* the path is a name in a folder */
    char path[63];          /* where the others open it */
};

/* Makes the file of so many bytes. Returns its descriptor, or -1 with errno, and then there is nothing to withdraw. */
int shared_make(enum shared_way way, int64_t bytes, struct shared_offer *offer);

/* Opens the file that is offered. Returns -1, with errno, if that fails; ESTALE: the path leads to another file. */
int shared_open(const struct shared_offer *offer);

/* Takes the file's name away, if it has one. The maker calls it when all others have the file, or have given up. */
void shared_withdraw(const struct shared_offer *offer);

/*
 * Allocates the range [from, from + length) of the file, near the core that runs this, and maps the whole file. The pages of
 * the range are mapped at once. The memory is zero at first. A child of fork() does not have it. NULL, with errno: no
 * memory, or a limit of this process. munmap() frees it; the descriptor may be closed before.
 */
char *shared_map(int file, int64_t bytes, int64_t from, int64_t length);

/* A random number > 0. */
uint64_t shared_random(void);

#endif
