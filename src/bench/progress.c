/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The progress line; see bench_job.h. Standard error of a rank is most often a pipe to mpiexec, which copies the text to its
 * own standard error. If mpiexec runs on this host, rank 0 checks whether mpiexec writes to a terminal. mpiexec may reorder
 * standard output and standard error of a rank. So rank 0 writes to one of them only after its text to the other has passed.
 */
#include "estimate.h"
#include "bench_job.h"
#include "process.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { GENERATIONS = 5 };                                /* number of ancestors among which we look for mpiexec */
enum { TTY = 4, PSEUDO_FIRST = 136, PSEUDO_LAST = 143 }; /* device numbers of terminals */

/* Returns the parent of a process, and writes the process's name to `name`. Returns 0 if the kernel does not show both. */
static int parent_of(int process, char *name, size_t size)
{
    char path[64], line[256] = "";
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *f = fopen(path, "re");
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
    char *open = strchr(line, '('), *close = strrchr(line, ')'); /* a name may have any character */
    if (!open || !close || sscanf(close, ") %*c %d", &parent) != 1)
        return 0;
    snprintf(name, size, "%.*s", (int)(close - open - 1), open + 1);
    return parent;
}

static bool writes_to_terminal(int process)
{
    char path[64];
    struct stat kind;
    snprintf(path, sizeof path, "/proc/%d/fd/2", process);
    if (stat(path, &kind) != 0 || !S_ISCHR(kind.st_mode))
        return false;
    unsigned device = major(kind.st_rdev);
    return device == TTY || (device >= PSEUDO_FIRST && device <= PSEUDO_LAST);
}

static bool launched_from_terminal(void)
{
    char name[64];
    int ancestor = getppid();
    for (int i = 0; i < GENERATIONS && ancestor > 1; i++) {
        int parent = parent_of(ancestor, name, sizeof name);
        if (parent && (strncmp(name, "mpiexec", 7) == 0 || strncmp(name, "mpirun", 6) == 0))
            return writes_to_terminal(ancestor);
        ancestor = parent;
    }
    return false;
}

static bool watched(void)
{
    static int answer = -1;
    if (answer < 0)
        answer = process.rank == 0 && (isatty(STDERR_FILENO) || launched_from_terminal());
    return answer;
}

static bool shown; /* true while the line is on the terminal */

void progress(double done, double elapsed, const char *format, ...)
{
    char what[160], left[40];
    va_list ap;
    if (!watched())
        return;
    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    estimate_text(estimate_left(done, elapsed, (double)options.seconds), left, sizeof left);
    fprintf(stderr, "\r\033[K%3.0f %%  %s%s%s", 100 * done, what, *left ? ", " : "", left);
    fflush(stderr);
    shown = true;
}

void progress_end(void)
{
    if (!shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    shown = false;
    let_through();
}

void progress_after_output(void)
{
    fflush(stdout);
    if (watched())
        let_through();
}
