/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people: how columns are aligned, and how a long line is cut. */
#include "columns.h"
#include "suite.h"

static const char *const table[][4] = {
    {"TIME", "RANKS", "NAME", "SITE"}, {"12.3us", "0-3,8", "chain", "f (a.c:1)"},         {"1s", "7", NULL, "g"},
    {"99.0%", "-", "64K", "0x1f < "},  {"", "1", "", "\xc3\xa9\xc3\xa9\xc3\xa9 (b.c:2)"},
};

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

START_TEST(cut_lines)
{
    char text[1000] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    columns_put(f, COUNT(table), 4, table[0], cuts[_i].width);
    fclose(f);
    ck_assert_str_eq(text, cuts[_i].text);
}

/* Numbers in the last column are aligned, too. A heading does not count as a number. */
START_TEST(last_column)
{
    static const char *const numbers[] = {"N", "1", "1000"};
    char text[100] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    columns_put(f, 3, 1, numbers, 0);
    columns_put(f, 1, 2, (const char *const[]){"A", "LONGER"}, 0);
    ck_assert_int_eq(columns_width(f), 0); /* it is no terminal */
    fclose(f);
    ck_assert_str_eq(text, "   N\n   1\n1000\nA  LONGER\n");
}

LOOPED_SUITE("columns", 60, cut_lines, COUNT(cuts), last_column)
