/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that name the places of hosts and ranks. */
#include "placefile.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define OWN PLACE_OWN

static const char sample[] = "# a comment\n"
                             "\n"
                             "node17 paris/rack3 # behind a line\n"
                             "  node18\tparis/rack4\r\n"
                             "node19 lyon/rack3\n"
                             "node20.lyon.org lyon\n"
                             "rank 2-3,9 nancy/a/b\n"
                             "node17 lyon\n"
                             "rank all paris/rack3";

/* Places are numbered as the file names them: paris 0, its rack3 1, rack4 2, lyon 3, its rack3 4, nancy 5, a 6, b 7. */
static const struct {
    const char *host;
    int rank, path[PLACE_NAMES];
} where[] = {
    {"node17", 0, {0, 1, OWN}},   {"node17.paris.org", 2, {0, 1, OWN}}, /* the first line that fits a host counts */
    {"node18", 0, {0, 2, OWN}},   {"node19", 0, {3, 4, OWN}},           {"node20.lyon.org", 0, {3, OWN, OWN}},
    {"node20", 0, {3, OWN, OWN}}, {"node20.paris.org", 3, {5, 6, 7}},   {"node1", 9, {5, 6, 7}},
    {"node1", 8, {0, 1, OWN}},
};

START_TEST(paths)
{
    int line, path[PLACE_NAMES];
    char why[256];
    struct placefile *f = placefile_parse(sample, &line, why, sizeof why);
    REQUIRE(f, "%d: %s", line, why);
    ck_assert_int_eq(placefile_places(f), 8);
    ck_assert(!placefile_sites(f));
    for (size_t i = 0; i < COUNT(where); i++) {
        placefile_path(f, where[i].host, where[i].rank, path);
        REQUIRE(memcmp(path, where[i].path, sizeof path) == 0, "%s, rank %d: %d, %d, %d", where[i].host, where[i].rank,
                path[0], path[1], path[2]);
    }
    placefile_free(f);
}

START_TEST(hosts_without_a_line)
{
    static const char *const texts[] = {"", "sites", "sites # far\n\n", "node paris\nrank 3 lyon\n"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        int line, path[PLACE_NAMES];
        char why[256];
        struct placefile *f = placefile_parse(texts[i], &line, why, sizeof why);
        REQUIRE(f, "%s: %d: %s", texts[i], line, why);
        ck_assert_int_eq(placefile_sites(f), i == 1 || i == 2);
        placefile_path(f, "other", 4, path);
        for (int level = 0; level < PLACE_NAMES; level++)
            ck_assert_int_eq(path[level], PLACE_OWN);
        placefile_free(f);
    }
}

static const struct {
    const char *text;
    int line;
    const char *why;
} bad[] = {
    {"node17", 1, "'node17' has no place"},
    {"a b\n\nnode17 # paris\n", 3, "'node17' has no place"},
    {"sites 3-4", 0, ""}, /* a host may have that name */
    {"rank 0-3", 1, "'0-3' has no place"},
    {"rank x paris", 1, "'x' is not a list of ranks and ranges such as 0-3,8"},
    {"rank 3-1 paris", 1, "'3-1' is not a list of ranks and ranges such as 0-3,8"},
    {"a b\nrank paris", 2, "'paris' is not a list of ranks and ranges such as 0-3,8"},
    {"node17 paris rack3", 1, "the line has 'rack3' behind the place"},
    {"rank 0 paris rack3", 1, "the line has 'rack3' behind the place"},
    {"node17 paris/", 1, "a place has no name"},
    {"node17 /paris", 1, "a place has no name"},
    {"node17 a//b", 1, "a place has no name"},
    {"node17 a/b/c", 0, ""},
    {"node17 a/b/c/d", 1, "more than 3 places are nested"},
    {"a\033b", 1, "'a?b' has no place"},
};

START_TEST(bad_lines)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        int line;
        char why[256] = "";
        struct placefile *f = placefile_parse(bad[i].text, &line, why, sizeof why);
        REQUIRE(!f == (bad[i].line > 0), "%s: %d: %s", bad[i].text, line, why);
        if (!f) {
            ck_assert_int_eq(line, bad[i].line);
            ck_assert_str_eq(why, bad[i].why);
        }
        placefile_free(f);
    }
}

SUITE("placefile", 30)
