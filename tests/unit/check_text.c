/* SPDX-License-Identifier: BSD-2-Clause */
/* Text for people: what is no UTF-8 is escaped; hints "did you mean ..?"; columns of tables. */
#include "columns.h"
#include "nearest.h"
#include "suite.h"
#include "utf8.h"

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------------ */

static void expect(const char *text, const char *escaped)
{
    char found[64];
    ck_assert(utf8_escape(text, found, sizeof found));
    ck_assert_str_eq(found, escaped);
    utf8_unescape(found);
    ck_assert_str_eq(found, text);
}

START_TEST(escapes)
{
    expect("", "");
    expect("plain \\x \\x4 \\x41 \\xg1", "plain \\x \\x4 \\x41 \\xg1");
    expect("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\xb3", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\xb3");
    expect("pr\351f", "pr\\xe9f");
    /* A sequence that is cut, too long, a surrogate, or beyond the last character. */
    expect("\xe2\x82", "\\xe2\\x82");
    expect("\xc0\xaf", "\\xc0\\xaf");
    expect("\xed\xa0\x80", "\\xed\\xa0\\x80");
    expect("\xf5\x80\x80\x80\xff", "\\xf5\\x80\\x80\\x80\\xff");
}

/* A text that is too long is cut between two characters. */
START_TEST(cut_between_characters)
{
    static const char text[] = "a\xe2\x82\xac\351";
    static const char *const kept[] = {
        "", "a", "a", "a", "a\xe2\x82\xac", "a\xe2\x82\xac", "a\xe2\x82\xac", "a\xe2\x82\xac"};
    char found[16];
    for (size_t size = 1; size <= COUNT(kept); size++) {
        ck_assert(!utf8_escape(text, found, size));
        ck_assert_str_eq(found, kept[size - 1]);
    }
    ck_assert(utf8_escape(text, found, COUNT(kept) + 1));
}

/* ---- Hints ------------------------------------------------------------------------------------------------------------ */

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

/* ---- Columns ---------------------------------------------------------------------------------------------------------- */

static const char table[] = "TIME\tRANKS\tNAME\tSITE\n"
                            "12.3us\t0-3,8\tchain\tf (a.c:1)\n"
                            "1s\t7\t\tg\n"
                            "99.0%\t-\t64K\t0x1f < \n"
                            "\t1\t\t\xc3\xa9\xc3\xa9\xc3\xa9 (b.c:2)\n";

static const struct {
    int width;
    const char *text;
} cuts[] = {{0, "  TIME  RANKS  NAME   SITE\n"
                "12.3us  0-3,8  chain  f (a.c:1)\n"
                "    1s  7      -      g\n"
                " 99.0%  -      64K    0x1f < \n"
                "     -  1      -      \xc3\xa9\xc3\xa9\xc3\xa9 (b.c:2)\n"},
            {31, "  TIME  RANKS  NAME   SITE\n"
                 "12.3us  0-3,8  chain  f (a.c:1)\n"
                 "    1s  7      -      g\n"
                 " 99.0%  -      64K    0x1f < \n"
                 "     -  1      -      \xc3\xa9\xc3\xa9\xc3\xa9 ..\n"},
            {27, "  TIME  RANKS  NAME   SITE\n"
                 "12.3us  0-3,8  chain  f (..\n"
                 "    1s  7      -      g\n"
                 " 99.0%  -      64K    0x1..\n"
                 "     -  1      -      \xc3\xa9..\n"},
            {9, "  TIME ..\n12.3us ..\n    1s ..\n 99.0% ..\n     - ..\n"},
            {3, " ..\n1..\n ..\n ..\n ..\n"}};

static void put(const char *cells, FILE *f, int width)
{
    struct columns t;
    FILE *stream = columns_begin(&t);
    fputs(cells, stream);
    ck_assert(columns_end(&t, f, width));
}

LOOPED_TEST(cut_lines, COUNT(cuts))
{
    char text[1000] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    put(table, f, cuts[_i].width);
    fclose(f);
    ck_assert_str_eq(text, cuts[_i].text);
}

/* Numbers in the last column are aligned at the right, too. A heading that is no number does not change that. */
START_TEST(last_column)
{
    char text[100] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    put("N\n1\n1000\n", f, 0);
    put("A\tLONGER\n", f, 0);
    put("A\n", NULL, 0);
    ck_assert_int_eq(columns_width(f), 0); /* it is no terminal */
    fclose(f);
    ck_assert_str_eq(text, "   N\n   1\n1000\nA  LONGER\n");
}

SUITE("text", 60)
