/* SPDX-License-Identifier: BSD-2-Clause */
/* A file in memory that two processes share: each reads what the other writes. No wrong file is ever opened. */
#include "sharedfile.h"
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 5 * 4096, HALF = 3 * 4096 };

/* In a child: opens the offered file, writes into the child's range, and exits with the last byte of the parent's range. */
static void take_part(const struct shared_offer *offer)
{
    int file = shared_open(offer);
    char *memory = file >= 0 ? shared_map(file, BYTES, HALF, BYTES - HALF) : NULL;
    if (!memory)
        _exit(1);
    memory[BYTES - 1] = 9;
    _exit(memory[HALF - 1]);
}

static void share(enum shared_way way)
{
    struct shared_offer offer;
    struct stat is;
    int status;
    int file = shared_make(way, BYTES, &offer);
    if (way == SHARED_NAMED && file < 0 && (errno == ENOENT || errno == EROFS)) {
        not_tested("files with names, as /dev/shm cannot have any");
        return;
    }
    ck_assert_int_ge(file, 0);
    ck_assert_int_ne(fcntl(file, F_GETFD) & FD_CLOEXEC, 0);
    char *memory = shared_map(file, BYTES, 0, HALF);
    ck_assert_ptr_nonnull(memory);
    for (int i = 0; i < BYTES; i++)
        ck_assert_int_eq(memory[i], 0);
    memory[HALF - 1] = 7;
    pid_t child = fork();
    if (child == 0)
        take_part(&offer);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child ended with status %#x", status);
    ck_assert_int_eq(memory[BYTES - 1], 9);
    fstat(file, &is);
    const int64_t allocated = is.st_blocks * 512; /* all of it, and no more, unless the kernel gives huge pages */
    ck_assert_msg(allocated == BYTES || (allocated > 0 && allocated % (2 << 20) == 0), "%d bytes", (int)allocated);
    if (way == SHARED_NAMED)
        ck_assert_int_eq(is.st_mode & 0777, 0600);
    shared_withdraw(&offer);
    ck_assert_msg(way == SHARED_UNNAMED || access(offer.path, F_OK) != 0, "%s is left", offer.path);
    munmap(memory, BYTES);
    close(file);
    ck_assert_int_eq(shared_open(&offer), -1); /* neither the path nor the file is there any more */
}

START_TEST(two_processes_share)
{
    for (int way = 0; way < SHARED_WAYS; way++)
        share((enum shared_way)way);
}

/* In another PID namespace, the offered path may lead to another file. */
START_TEST(no_other_file_is_opened)
{
    struct shared_offer offer;
    int file = shared_make(SHARED_UNNAMED, BYTES, &offer), other = open("/dev/null", O_RDWR);
    struct shared_offer wrong = offer;
    snprintf(wrong.path, sizeof wrong.path, "/proc/%ld/fd/%d", (long)getpid(), other);
    ck_assert_int_eq(shared_open(&wrong), -1);
    ck_assert_int_eq(errno, ESTALE);
    wrong = offer;
    wrong.device++;
    ck_assert_int_eq(shared_open(&wrong), -1);
    close(other);
    close(file);
}

/* An application that has closed its standard streams may still write to their numbers. */
START_TEST(standard_descriptors_stay_free)
{
    struct shared_offer offer;
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    int file = shared_make(SHARED_UNNAMED, BYTES, &offer), again = shared_open(&offer);
    ck_assert_int_gt(file, STDERR_FILENO);
    ck_assert_int_gt(again, STDERR_FILENO);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
    close(file);
    close(again);
    file = shared_make(SHARED_NAMED, BYTES, &offer); /* -1 where /dev/shm cannot have files */
    ck_assert(file < 0 || file > STDERR_FILENO);
    shared_withdraw(&offer);
    if (file >= 0)
        close(file);
}

/* A child of fork() does not get the memory: the range belongs to its parent. */
START_TEST(a_child_has_none)
{
    struct shared_offer offer;
    int status;
    int file = shared_make(SHARED_UNNAMED, BYTES, &offer);
    char *memory = shared_map(file, BYTES, 0, BYTES);
    ck_assert_ptr_nonnull(memory);
    pid_t child = fork();
    unsigned char in_core;
    if (child == 0)
        _exit(mincore(memory, 4096, &in_core) == 0 ? 1 : 7);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child has the memory: status %#x", status);
    munmap(memory, BYTES);
    close(file);
}

SUITE("sharedfile", 4)
