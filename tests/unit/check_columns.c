/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people: how columns are aligned, and how a long line is cut. */
#include "columns.h"
#include "suite.h"

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

SUITE("columns", 60)
