/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits of control groups, in folders that the test makes. */
#include "quota.h"
#include "suite.h"

#include <sys/stat.h>

/* A file of a control group, and its text. */
struct group {
    const char *file, *text;
};

/* Makes these files. `groups` is the text of /proc/self/cgroup. */
static void make(const char *groups, const struct group *made, int count)
{
    static const char *const folders[] = {"m", "m/a", "m/a/b", "m/cpu", "m/cpu/a", "m/memory", "m/memory/a"};
    ck_assert_int_eq(system("rm -rf m"), 0);
    for (size_t i = 0; i < COUNT(folders); i++)
        mkdir(folders[i], 0700);
    write_file("groups", groups, strlen(groups));
    for (int i = 0; i < count; i++)
        write_file(made[i].file, made[i].text, strlen(made[i].text));
}

#define MAKE(groups, ...) make(groups, (const struct group[]){__VA_ARGS__}, COUNT(((const struct group[]){__VA_ARGS__})))
#define CORES(...) (MAKE(__VA_ARGS__), quota_cores_in("groups", "m"))
static int64_t enough = INT64_MAX; /* bytes */
#define MEMORY(...) (MAKE(__VA_ARGS__), quota_memory_in("groups", "m", enough))

START_TEST(version_2)
{
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "200000 100000\n"}), 2);
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "150000 100000\n"}), 2);
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "10000 100000\n"}), 1);
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "max 100000\n"}), 0);
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "max 100000\n"}, {"m/a/cpu.max", "300000 100000\n"}), 3);
    ck_assert_int_eq(CORES("0::/a/b\n", {"m/a/b/cpu.max", "400000 100000\n"}, {"m/a/cpu.max", "300000 100000\n"}), 3);
    ck_assert_int_eq(CORES("0::/a\n", {"m/a/b/cpu.max", "400000 100000\n"}), 0);
}

START_TEST(a_container_sees_the_root_alone)
{
    ck_assert_int_eq(CORES("0::/outer/name\n", {"m/cpu.max", "400000 100000\n"}), 4);
    ck_assert_int_eq(CORES("0::/\n", {"m/cpu.max", "400000 100000\n"}), 4);
}

START_TEST(version_1)
{
    static const char groups[] = "5:cpuset:/a\n4:cpu,cpuacct:/a\n0::/\n";
    ck_assert_int_eq(CORES(groups, {"m/cpu/a/cpu.cfs_quota_us", "250000\n"}, {"m/cpu/a/cpu.cfs_period_us", "100000\n"}), 3);
    ck_assert_int_eq(CORES(groups, {"m/cpu/a/cpu.cfs_quota_us", "-1\n"}, {"m/cpu/a/cpu.cfs_period_us", "100000\n"}), 0);
    ck_assert_int_eq(
        CORES("4:cpuacct,cpus:/a\n", {"m/cpu/a/cpu.cfs_quota_us", "250000\n"}, {"m/cpu/a/cpu.cfs_period_us", "100000\n"}),
        0);
}

/* Memory of files counts as free, and shared memory does not. */
START_TEST(memory_of_version_2)
{
    static const char stat[] = "anon 500\nfile 400\nshmem 100\ninactive_file 200\nactive_file 100\ntotal_active_file 7\n";
    ck_assert_int_eq(MEMORY("0::/a/b\n", {"m/a/b/memory.max", "1000\n"}, {"m/a/b/memory.current", "900\n"}), 100);
    ck_assert_int_eq(MEMORY("0::/a/b\n", {"m/a/b/memory.max", "1000\n"}, {"m/a/b/memory.current", "900\n"},
                            {"m/a/b/memory.stat", stat}),
                     400);
    ck_assert_int_eq(MEMORY("0::/a/b\n", {"m/a/b/memory.max", "1000\n"}, {"m/a/b/memory.current", "900\n"},
                            {"m/a/memory.max", "950\n"}, {"m/a/memory.current", "920\n"}),
                     30);
    ck_assert_int_eq(MEMORY("0::/a\n", {"m/a/memory.max", "1000\n"}, {"m/a/memory.current", "2000\n"}), 0);
    ck_assert_int_eq(MEMORY("0::/a/b\n", {"m/a/b/memory.max", "1000\n"}, {"m/a/b/memory.current", "1250\n"},
                            {"m/a/b/memory.stat", stat}),
                     50);
    ck_assert(MEMORY("0::/a\n", {"m/a/memory.max", "max\n"}, {"m/a/memory.current", "900\n"}) == INT64_MAX);
    ck_assert(MEMORY("0::/a\n", {"m/a/memory.max", "1000\n"}) == INT64_MAX);
    ck_assert_int_eq(MEMORY("0::/outer\n", {"m/memory.max", "1000\n"}, {"m/memory.current", "900\n"}), 100);
}

START_TEST(memory_of_version_1)
{
    static const char groups[] = "4:memory:/a\n0::/\n", stat[] = "inactive_file 7\ntotal_inactive_file 200\n";
    ck_assert_int_eq(MEMORY(groups, {"m/memory/a/memory.limit_in_bytes", "1000\n"},
                            {"m/memory/a/memory.usage_in_bytes", "900\n"}, {"m/memory/a/memory.stat", stat}),
                     300);
    ck_assert(MEMORY(groups, {"m/memory/a/memory.limit_in_bytes", "9223372036854771712\n"},
                     {"m/memory/a/memory.usage_in_bytes", "900\n"}, {"m/memory/a/memory.stat", stat}) == INT64_MAX);
    ck_assert_int_eq(MEMORY(groups, {"m/memory/a/memory.limit_in_bytes", "1000\n"},
                            {"m/memory/a/memory.usage_in_bytes", "900\n"},
                            {"m/memory/a/memory.stat", "total_active_file 5000\n"}),
                     1000);
    enough = 100; /* so nobody asks how much the kernel can give back */
    ck_assert_int_eq(MEMORY(groups, {"m/memory/a/memory.limit_in_bytes", "1000\n"},
                            {"m/memory/a/memory.usage_in_bytes", "900\n"}, {"m/memory/a/memory.stat", stat}),
                     100);
}

START_TEST(nothing_to_read)
{
    ck_assert(quota_memory_in("nosuch", "nosuch", 1) == INT64_MAX);
    ck_assert_int_ge(quota_memory(1), 0);
    ck_assert_int_eq(quota_cores_in("nosuch", "nosuch"), 0);
    ck_assert_int_eq(CORES("0\n0:\n0::\n::::\n", {"m/a/cpu.max", "1 1"}), 0);
    ck_assert_int_eq(CORES("0::/a\n", {"m/a/cpu.max", "1 0"}), 0);
    ck_assert_int_eq(CORES("0::/a\n", {"m/a/cpu.max", "9999999999999999 1"}), 0);
    ck_assert_int_ge(quota_cores(), 0);
}

SUITE("quota", 6)
