/* SPDX-License-Identifier: BSD-2-Clause */
/* Quotas of control groups, in folders that the test makes. */
#include "quota.h"
#include "suite.h"

#include <sys/stat.h>

/* A file of a control group, and its text. */
struct group {
    const char *file, *text;
};

/* Makes these files. Returns the cores that they allow, if `groups` is the text of /proc/self/cgroup. */
static int cores(const char *groups, const struct group *made, int count)
{
    static const char *const folders[] = {"m", "m/a", "m/a/b", "m/cpu", "m/cpu/a"};
    ck_assert_int_eq(system("rm -rf m"), 0);
    for (size_t i = 0; i < COUNT(folders); i++)
        mkdir(folders[i], 0700);
    write_file("groups", groups, strlen(groups));
    for (int i = 0; i < count; i++)
        write_file(made[i].file, made[i].text, strlen(made[i].text));
    return quota_cores_in("groups", "m");
}

#define CORES(groups, ...) cores(groups, (const struct group[]){__VA_ARGS__}, COUNT(((const struct group[]){__VA_ARGS__})))

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

START_TEST(nothing_to_read)
{
    ck_assert_int_eq(quota_cores_in("nosuch", "nosuch"), 0);
    ck_assert_int_eq(CORES("0\n0:\n0::\n::::\n", {"m/a/cpu.max", "1 1"}), 0);
    ck_assert_int_eq(CORES("0::/a\n", {"m/a/cpu.max", "1 0"}), 0);
    ck_assert_int_eq(CORES("0::/a\n", {"m/a/cpu.max", "9999999999999999 1"}), 0);
    ck_assert_int_ge(quota_cores(), 0);
}

SUITE("quota", 4)
