/* SPDX-License-Identifier: BSD-2-Clause */
/* See sharedfile.h. */
#include "sharedfile.h"

#include "hash.h"
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

enum { PAGE = 4096 }; /* the smallest of any system */

uint64_t shared_random(void)
{
    struct timespec now;
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = mix64((uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30);
    }
    return number ? number : 1;
}

static int make_unnamed(struct shared_offer *offer)
{
    int file = memfd_create("pleach", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL) /* Linux before 6.3 */
        file = memfd_create("pleach", MFD_CLOEXEC);
    file = above_standard(file);
    snprintf(offer->path, sizeof offer->path, "/proc/%ld/fd/%d", (long)getpid(), file);
    return file;
}

static int make_named(struct shared_offer *offer)
{
    snprintf(offer->path, sizeof offer->path, "/dev/shm/pleach-%016llx", (unsigned long long)shared_random());
    int file = open(offer->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    offer->named = file >= 0;
    return above_standard(file);
}

static int give_up(int file, const struct shared_offer *offer)
{
    const int error = errno;
    shared_withdraw(offer);
    if (file >= 0)
        close(file);
    errno = error;
    return -1;
}

/* Beyond `ulimit -f`, SIGXFSZ would end the process. */
static bool within_limit(int64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= (rlim_t)bytes)
        return true;
    errno = EFBIG;
    return false;
}

int shared_make(enum shared_way way, int64_t bytes, struct shared_offer *offer)
{
    struct stat is;
    memset(offer, 0, sizeof *offer);
    if (!within_limit(bytes))
        return -1;
    int file = way == SHARED_UNNAMED ? make_unnamed(offer) : make_named(offer);
    if (file < 0 || fstat(file, &is) != 0 || ftruncate(file, (off_t)bytes) != 0)
        return give_up(file, offer);
    offer->bytes = bytes;
    offer->device = (uint64_t)is.st_dev;
    offer->inode = (uint64_t)is.st_ino;
    return file;
}

static bool is_offered(const struct stat *is, const struct shared_offer *offer)
{
    const bool same = (uint64_t)is->st_dev == offer->device && (uint64_t)is->st_ino == offer->inode;
    errno = ESTALE;
    return same;
}

/* In another PID namespace, the path may be a device, and opening it have an effect. */
int shared_open(const struct shared_offer *offer)
{
    struct stat is;
    if (stat(offer->path, &is) != 0 || !is_offered(&is, offer))
        return -1;
    int file = above_standard(open(offer->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (file >= 0 && (fstat(file, &is) != 0 || !is_offered(&is, offer))) {
        close(file);
        errno = ESTALE;
        return -1;
    }
    return file;
}

void shared_withdraw(const struct shared_offer *offer)
{
    if (offer->named)
        unlink(offer->path);
}

/* Else an access would raise SIGBUS when memory is short. */
static bool allocate(int file, int64_t from, int64_t length)
{
    int error;
    while ((error = posix_fallocate(file, (off_t)from, (off_t)length)) == EINTR)
        continue;
    errno = error;
    return !error;
}

char *shared_map(int file, int64_t bytes, int64_t from, int64_t length)
{
    if (!allocate(file, from, length))
        return NULL;
    char *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, (size_t)bytes, MADV_DONTFORK);
    for (int64_t at = from; at < from + length; at += PAGE)
        *(volatile char *)(memory + at) = 0;
    return memory;
}

const char *shared_remedy(enum shared_way way, int error)
{
    /* The first that fits. SHARED_WAYS: any way; 0: any error. */
    static const struct {
        enum shared_way way;
        int error;
        const char *what;
    } remedies[] = {
        {SHARED_WAYS, ENOMEM, "raise ulimit -v, or the memory limit of the job"},
        {SHARED_WAYS, EFBIG, "raise ulimit -f"},
        {SHARED_WAYS, EMFILE, "raise ulimit -n"},
        {SHARED_WAYS, ESTALE, "let the containers of a node share /dev/shm or the PID namespace"},
        {SHARED_UNNAMED, EPERM, "let the sandbox of the job (seccomp) allow memfd_create()"},
        {SHARED_UNNAMED, ENOSYS, "let the sandbox of the job (seccomp) allow memfd_create()"},
        {SHARED_UNNAMED, 0, "mount /proc without hidepid; ranks must run as one user, and be dumpable"},
        {SHARED_NAMED, ENOSPC, "make /dev/shm larger, for a container by --shm-size"},
        {SHARED_NAMED, ENOENT, "mount a tmpfs there, the same for all ranks of a node"},
        {SHARED_NAMED, 0, "let ranks write there"},
    };
    size_t i = 0;
    while ((remedies[i].way != SHARED_WAYS && remedies[i].way != way) || (remedies[i].error && remedies[i].error != error))
        i++;
    return remedies[i].what;
}
