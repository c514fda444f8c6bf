/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the report share: calls to count, and a look at the lines that were written. */
#ifndef TESTS_REPORTS_H
#define TESTS_REPORTS_H

#include "records.h"

enum { WORDS = 12 };

/* Writes the report, which is in `text` then. */
static inline void finish(void)
{
    report_close();
    contents("report");
}

/* The words of the first line in `text` that ends with `tail`; NULL if there is none. */
static inline char (*row(const char *tail))[64]
{
    static char word[WORDS][64];
    char line[1024];
    for (const char *c = text; *c; c += strcspn(c, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(c, "\n"), c);
        size_t length = strlen(line), end = strlen(tail);
        if (length < end || strcmp(line + length - end, tail) != 0)
            continue;
        memset(word, 0, sizeof word);
        int i = 0;
        for (char *rest = line, *w; i < WORDS && (w = strtok_r(rest, " ", &rest)); i++)
            snprintf(word[i], sizeof word[i], "%.63s", w);
        return word;
    }
    return NULL;
}

/* The line that ends with `tail` begins with these words. */
static inline void expect(const char *tail, const char *words)
{
    char got[1024] = "", copy[256], *rest = copy;
    char(*found)[64] = row(tail);
    ck_assert_msg(found != NULL, "no line ends with '%s' in:\n%.3000s", tail, text);
    snprintf(copy, sizeof copy, "%s", words);
    for (int i = 0; strtok_r(rest, " ", &rest); i++) {
        strcat(got, i ? " " : "");
        strcat(got, found[i]);
    }
    ck_assert_msg(strcmp(got, words) == 0, "'%s' instead of '%s' in:\n%.3000s", got, words, text);
}

static inline void count(int calls, enum collective c, const char *engine, enum reason reason, int64_t bytes, double seconds)
{
    struct record r = sample();
    r.collective = c;
    r.engine = engine;
    r.reason = reason;
    r.bytes = bytes;
    r.duration = seconds;
    while (calls-- > 0)
        record_add(&r);
}

#endif
