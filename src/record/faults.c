/* SPDX-License-Identifier: BSD-2-Clause */
/* See faults.h. */
#include "faults.h"

#include "seconds.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGES = 64, ATTEMPTS = 5 }; /* the fastest attempt counts */

int64_t faults_now(void)
{
    struct rusage r = {.ru_minflt = 0};
    getrusage(RUSAGE_THREAD, &r);
    return r.ru_minflt;
}

static double measure_fault(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 0;
    madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
    const double start = seconds_now();
    for (size_t i = 0; i < PAGES; i++)
        ((volatile char *)memory)[i * page] = 1;
    const double took = seconds_now() - start;
    munmap(memory, PAGES * page);
    return took / PAGES;
}

double faults_cost(void)
{
    static double cost = -1;
    if (cost >= 0)
        return cost;
    cost = getenv("MALLOC_TRIM_THRESHOLD_") ? 0 : measure_fault();
    for (int i = 1; i < ATTEMPTS && cost > 0; i++) {
        const double again = measure_fault();
        cost = again < cost ? again : cost;
    }
    return cost;
}
