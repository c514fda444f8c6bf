/* SPDX-License-Identifier: BSD-2-Clause */
/* UTF-8: what is none is escaped, and found again. */
#include "suite.h"
#include "utf8.h"

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
START_TEST(cuts)
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

SUITE("utf8", 4)
