/* SPDX-License-Identifier: BSD-2-Clause */
/* Hints "did you mean ..?": the distances of words, and which words are near enough for a hint. */
#include "nearest.h"
#include "suite.h"

static const struct {
    const char *a, *b;
    int slips;
} pairs[] = {
    {"", "", 0},           {"", "abc", 3},        {"chain", "chain", 0},  {"chain", "CHAIN", 0}, {"chian", "chain", 1},
    {"hcain", "chain", 1}, {"chan", "chain", 1},  {"chaain", "chain", 1}, {"chein", "chain", 1}, {"hain", "chain", 1},
    {"chai", "chain", 1},  {"niahc", "chain", 4}, {"ring", "mesh", 4},    {"ab", "ba", 1},       {"ca", "abc", 3},
};

LOOPED_TEST(distances, COUNT(pairs))
{
    ck_assert_int_eq(slips(pairs[_i].a, pairs[_i].b), pairs[_i].slips);
    ck_assert_int_eq(slips(pairs[_i].b, pairs[_i].a), pairs[_i].slips);
}

START_TEST(long_words)
{
    char longest[NEAREST_WORD], longer[NEAREST_WORD + 1];
    snprintf(longest, sizeof longest, "%0*d", NEAREST_WORD - 1, 0);
    snprintf(longer, sizeof longer, "%0*d", NEAREST_WORD, 0);
    ck_assert_int_eq(slips(longest, longest), 0);
    ck_assert_int_eq(slips(longest, ""), NEAREST_WORD - 1);
    ck_assert_int_eq(slips(longer, longer), NEAREST_WORD);
    struct nearest near = {.text = longer};
    nearest_try(&near, longer);
    ck_assert_str_eq(nearest_hint(&near), "");
}

START_TEST(hints)
{
    static const struct {
        const char *text, *hint;
        int prefix;
    } table[] = {{"chian", " (did you mean chain?)", 0},
                 {"Chain", " (did you mean chain?)", 0},
                 {"two-treee", " (did you mean two-tree?)", 0},
                 {"two-tree-miror", " (did you mean two-tree-mirror?)", 0},
                 {"rin", " (did you mean ring?)", 0},
                 {"ri", "", 0},
                 {"rgni", "", 0},
                 {"rgni", "", 1},
                 {"two-rings", "", 0},
                 {"two-tree", " (did you mean two-tree?)", 0},
                 {"two-treexx", " (did you mean two-tree?)", 4},
                 {"two-treexx", "", 5},
                 {"two-tree-mixxxx", "", 0},
                 {"", "", 0}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct nearest near = {.text = table[i].text, .prefix = table[i].prefix};
        static const char *const words[] = {"two-tree-mirror", "chain", "two-tree", "ring", "mesh"};
        for (size_t w = 0; w < COUNT(words); w++)
            nearest_try(&near, words[w]);
        ck_assert_msg(strcmp(nearest_hint(&near), table[i].hint) == 0, "%s:%s", table[i].text, near.hint);
    }
}

SUITE("nearest", 10)
