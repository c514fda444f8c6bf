/* SPDX-License-Identifier: BSD-2-Clause */
/* For writer and reader of a rank report's text; see rank_report.c. */
#pragma once

#include "rank_report.h"

#define BILLION INT64_C(1000000000)

enum { MOST_SIZE = 62 };

/* A line with one value, at an offset of struct rank_report. */
struct value {
    const char *kind;
    size_t where;
};

enum { VALUE_TEXTS = 8, VALUE_TIMES = 6 };
extern const struct value value_texts[VALUE_TEXTS]; /* const char * */
extern const struct value value_times[VALUE_TIMES]; /* double, seconds */

static inline const char **text_of(struct rank_report *p, int i)
{
    return (const char **)((char *)p + value_texts[i].where);
}

static inline double *time_of(struct rank_report *p, int i)
{
    return (double *)(void *)((char *)p + value_times[i].where);
}

/* NULL from ENDS on. */
const char *rank_end_word(int end);
