/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload, which confines a process from its start.
 *
 *     SANDBOX_FORBIDS=WORDS   memfd: memfd_create() fails; files: fallocate() fails, so no file is sure to have memory;
 *                             view: other processes may not look into this one by /proc
 *     SANDBOX_RANK=R          the words apply to this rank of MPI_COMM_WORLD alone; without it, to all ranks
 *
 * Every process loses root's right to look into any other process.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void need(bool works, const char *what)
{
    if (works)
        return;
    fprintf(stderr, "sandbox: %s: %s\n", what, strerror(errno));
    _exit(1);
}

/* The system call fails from now on. */
static void forbid(unsigned call)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
         "seccomp");
}

static void respect_others(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3];
    struct __user_cap_data_struct *own = &has[CAP_TO_INDEX(CAP_SYS_PTRACE)];
    need(syscall(SYS_capget, &header, has) == 0, "capget");
    own->effective &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    own->permitted &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    need(syscall(SYS_capset, &header, has) == 0, "capset");
}

static bool is_here(void)
{
    const char *only = getenv("SANDBOX_RANK"), *rank = getenv("PMI_RANK");
    return !only || (rank && strcmp(only, rank) == 0);
}

__attribute__((constructor)) static void confine(void)
{
    const char *words = getenv("SANDBOX_FORBIDS");
    respect_others();
    if (!words || !is_here())
        return;
    if (strstr(words, "memfd"))
        forbid(SYS_memfd_create);
    if (strstr(words, "files"))
        forbid(SYS_fallocate);
    if (strstr(words, "view"))
        need(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "dumpable");
}
