/* SPDX-License-Identifier: BSD-2-Clause */
/* Domains of cores, in folders that the test makes. */
#include "domain.h"
#include "suite.h"

#include <stdarg.h>
#include <sys/stat.h>

__attribute__((format(printf, 2, 3))) static void make(const char *text, const char *format, ...)
{
    char path[200];
    va_list more;
    va_start(more, format);
    vsnprintf(path, sizeof path, format, more);
    va_end(more);
    for (char *slash = path; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    write_file(path, text, strlen(text));
}

/* Core i has a cache of its own of levels 1 and 2, and shares that of level 3, if `list` is not NULL. */
static void make_caches(int core, const char *list)
{
    char own[16];
    snprintf(own, sizeof own, "%d\n", core);
    for (int i = 0; i < (list ? 4 : 3); i++) {
        static const char *const level[] = {"1\n", "1\n", "2\n", "3\n"};
        make(level[i], "s/cpu/cpu%d/cache/index%d/level", core, i);
        make(i < 3 ? own : list, "s/cpu/cpu%d/cache/index%d/shared_cpu_list", core, i);
    }
}

/* The domain of cores first .. last. */
static int domain(int first, int last)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int i = first; i <= last; i++)
        CPU_SET(i, &cores);
    return domain_in("s", &cores);
}

/* Two threads a core: thread i + 8 is on the core of thread i. */
START_TEST(caches)
{
    for (int i = 0; i < 16; i++)
        make_caches(i, i % 8 < 4 ? "0-3,8-11\n" : "4-7,12-15\n");
    make("0\n", "s/node/online");
    make("0-15\n", "s/node/node0/cpulist");
    ck_assert_int_eq(domain(0, 0), 0);
    ck_assert_int_eq(domain(2, 3), 0);
    ck_assert_int_eq(domain(8, 11), 0);
    ck_assert_int_eq(domain(6, 6), 4);
    ck_assert_int_eq(domain(13, 14), 4);
    ck_assert_int_eq(domain(3, 4), DOMAIN_NONE);
    ck_assert_int_eq(domain(0, 15), DOMAIN_NONE);
    ck_assert_int_eq(domain(16, 16), DOMAIN_NONE);
}

/* A NUMA node may be a part of what shares a cache, and has it in part. Node 1 has memory alone. */
START_TEST(numa_nodes)
{
    for (int i = 0; i < 8; i++)
        make_caches(i, "0-7\n");
    make("0-2\n", "s/node/online");
    make("0-3\n", "s/node/node0/cpulist");
    make("\n", "s/node/node1/cpulist");
    make("4-7,9\n", "s/node/node2/cpulist");
    ck_assert_int_eq(domain(0, 3), 0);
    ck_assert_int_eq(domain(5, 6), 4);
    ck_assert_int_eq(domain(2, 5), DOMAIN_NONE);
    ck_assert_int_eq(domain(9, 9), 4); /* without a cache, by its NUMA node alone */
    ck_assert_int_eq(domain(8, 8), DOMAIN_NONE);
}

START_TEST(some_facts_lack)
{
    ck_assert_int_eq(domain(0, 0), DOMAIN_NONE); /* no folder */
    make_caches(0, NULL);
    ck_assert_int_eq(domain(0, 0), DOMAIN_NONE);
    make_caches(0, "0-1\n");
    ck_assert_int_eq(domain(0, 1), 0);
    ck_assert_int_eq(domain(1, 0), DOMAIN_NONE); /* no core */
    make("x\n", "s/cpu/cpu0/cache/index3/shared_cpu_list");
    ck_assert_int_eq(domain(0, 0), DOMAIN_NONE);
    make("1-999999999,5\n", "s/cpu/cpu0/cache/index3/shared_cpu_list");
    ck_assert_int_eq(domain(1, 1), DOMAIN_NONE);
}

/* On this machine: whatever it is, a single core lies in one domain, or nothing is known. */
START_TEST(here)
{
    cpu_set_t cores;
    ck_assert_int_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
    ck_assert_int_ge(domain_here(), DOMAIN_NONE);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &cores)) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(i, &one);
            const int found = domain_in("/sys/devices/system", &one);
            ck_assert(found >= DOMAIN_NONE && found <= i);
        }
}

SUITE("domain", 20)
