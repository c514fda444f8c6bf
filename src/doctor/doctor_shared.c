/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach doctor: shares memory with a child process, to find out whether the ranks of a node can do so; see doctor.h. In a
 * job, the ranks themselves try, too: they may be in different containers.
 */
#include "doctor.h"

#include "cell.h"
#include "launcher.h"
#include "options.h"
#include "parts.h"
#include "quota.h"
#include "say.h"
#include "sharedfile.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

static const char shm[] = "/dev/shm";

/* Lets a child process open the offered memory, and look for the byte that try_way() has written. Returns 0 or an errno. */
static int ask_child(const struct shared_offer *offer)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const int file = shared_open(offer);
        char byte = 0;
        _exit(file < 0 ? errno : pread(file, &byte, 1, 0) == 1 && byte == 1 ? 0 : EIO);
    }
    return child < 0 || waitpid(child, &status, 0) != child ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

/* Tries one way to share this number of bytes. Returns 0 or an errno. */
static int try_way(enum shared_way way, int64_t bytes)
{
    struct shared_offer offer;
    const int file = shared_make(way, bytes, &offer);
    if (file < 0)
        return errno;
    char *memory = shared_map(file, bytes, 0, bytes);
    int error = memory ? 0 : errno;
    if (memory) {
        memory[0] = 1;
        error = ask_child(&offer);
        munmap(memory, (size_t)bytes);
    }
    shared_withdraw(&offer);
    close(file);
    return error;
}

/* Reports whether /dev/shm has room for all that the ranks of a node may share there: `budget` bytes. */
static void tell_room(int64_t budget)
{
    char text[UNITS_TEXT];
    struct statvfs is;
    const int64_t room = statvfs(shm, &is) == 0 ? (int64_t)(is.f_bavail * is.f_frsize) : 0;
    size_print(room, text, sizeof text);
    if (room < budget)
        doctor_tell(VERDICT_NOTE,
                    "ranks of a node can share memory in %s, but %s is free there, less than PLEACH_SHARED: %s", shm, text,
                    shared_remedy(SHARED_NAMED, ENOSPC));
    else
        doctor_tell(VERDICT_OK, "ranks of a node can share memory in %s", shm);
}

/* Reports if this process's control group may take less than twice what the ranks of a node may share: `budget` bytes. */
static void tell_group(int64_t budget)
{
    char text[UNITS_TEXT];
    const int64_t wanted = budget < INT64_MAX / 2 ? 2 * budget : INT64_MAX, left = quota_memory(wanted);
    size_print(left, text, sizeof text);
    if (left < wanted)
        doctor_tell(VERDICT_NOTE,
                    "the control group of this process may take %s more memory; ranks share memory only if they need at "
                    "most half of this: allow the job more",
                    text);
}

/* Reports if the budget is too small for memory that all ranks of a node share. */
static void tell_budget(int64_t budget)
{
    char text[2][UNITS_TEXT];
    const int ranks = launcher_node_ranks_or_cores();
    const int64_t least = ranks > 1 ? segment_bytes(ranks, SEGMENT_LEAST) : 0;
    size_print(budget, text[0], sizeof text[0]);
    size_print(least, text[1], sizeof text[1]);
    if (budget < least)
        doctor_tell(VERDICT_NOTE,
                    "PLEACH_SHARED=%s is too little for memory that %d ranks of a node share; each of their communicators "
                    "takes %s at least",
                    text[0], ranks, text[1]);
}

void doctor_shared(const struct settings *s)
{
    enum { TRIED = 1 << 20 }; /* bytes */
    int error[SHARED_WAYS];
    const int64_t bytes = s->shared < TRIED ? s->shared : TRIED;
    if (!s->shared) {
        doctor_tell(VERDICT_NOTE, "PLEACH_SHARED=no: ranks of a node share no memory, and exchange messages instead");
        return;
    }
    for (int way = 0; way < SHARED_WAYS; way++)
        if ((error[way] = try_way((enum shared_way)way, bytes)) == 0) {
            if (way == SHARED_NAMED)
                tell_room(s->shared);
            else
                doctor_tell(VERDICT_OK, "ranks of a node can share memory");
            tell_group(s->shared);
            tell_budget(s->shared);
            return;
        }
    doctor_tell(VERDICT_NOTE,
                "ranks of a node exchange messages, as they cannot share memory by memfd_create(): %s: %s; nor in %s: "
                "%s: %s",
                strerror(error[SHARED_UNNAMED]), shared_remedy(SHARED_UNNAMED, error[SHARED_UNNAMED]), shm,
                strerror(error[SHARED_NAMED]), shared_remedy(SHARED_NAMED, error[SHARED_NAMED]));
}

/* ---- The ranks of a job -------------------------------------------------------------------------------------------- */

#define TRY_SECONDS 60 /* long enough for MPI_Init of a large job, and short enough for a person who waits */

/* The line in which the trial's program says this; NULL: none. Ends the line with a null character. */
static char *line_with(char *text, const char *words)
{
    char *at = strstr(text, words);
    while (at && at > text && at[-1] != '\n')
        at--;
    if (at)
        at[strcspn(at, "\n")] = 0;
    return at;
}

/* A line without the name of the command that has written it. */
static const char *unnamed(const char *line)
{
    static const char name[] = "pleach shared: ";
    return strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line;
}

/* Reports the outcome of a trial that has written `text`. `ended`: the trial ended as it should. */
static void tell_trial(char *text, bool ended, const struct launched *by, enum mpi program)
{
    const enum verdict wrong = program ? VERDICT_PROBLEM : VERDICT_NOTE;
    const char *line, *pmi = launcher_pmi(program);
    if ((line = line_with(text, LAUNCHED_ALONE)))
        doctor_tell(wrong, "%s", unnamed(line));
    else if ((line = line_with(text, SHARED_NO)))
        doctor_tell(VERDICT_NOTE, "the ranks of this job exchange messages, as they cannot share memory: %s",
                    strstr(line, SHARED_NO) + strlen(SHARED_NO));
    else if (strstr(text, SHARED_YES))
        doctor_tell(VERDICT_OK, "the ranks of this job share memory, on each node");
    else if (!ended && !by->mpi && pmi && text == unnamed(text))
        doctor_tell(wrong, "MPI does not start in this job: programs for %s often need srun --mpi=%s", mpi_name(program),
                    pmi);
    else if (!ended)
        doctor_tell(VERDICT_NOTE, "the ranks of this job have not tried to share memory: %.*s",
                    text[0] ? (int)strcspn(text, "\n") : INT_MAX, text[0] ? text : "MPI did not start in time");
}

void doctor_ranks(const struct program *p)
{
    struct launched job;
    char helper[PATH_MAX], text[4096];
    if (!launched_by(&job) || atoi(job.ranks) < 2 || !parts_find(PART_HELPER, helper))
        return;
    const bool named = p->mpi && p->mpi != MPI_OTHER;
    const char *const argv[] = {helper, command_shared.name, named ? "--mpi-library" : NULL, p->library, NULL};
    const bool ended = tool_asked(argv, TRY_SECONDS, text, sizeof text);
    if (is_speaker())
        tell_trial(text, ended, &job, p->mpi);
}
