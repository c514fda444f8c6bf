/* SPDX-License-Identifier: BSD-2-Clause */
/* What the writer and the reader of a part's text share; the lines are told in part.c. */
#ifndef PLEACH_PART_VALUES_H
#define PLEACH_PART_VALUES_H

#include "part.h"

#define BILLION INT64_C(1000000000)

enum { MOST_SIZE = 62 }; /* class of all larger sizes, too */

/* A line of one value: its kind, and where struct part has it. */
struct value {
    const char *kind;
    size_t where;
};

enum { VALUE_TEXTS = 7, VALUE_TIMES = 6 };
extern const struct value value_texts[VALUE_TEXTS]; /* const char * */
extern const struct value value_times[VALUE_TIMES]; /* double, seconds */

static inline const char **text_of(struct part *p, int i)
{
    return (const char **)((char *)p + value_texts[i].where);
}

static inline double *time_of(struct part *p, int i)
{
    return (double *)(void *)((char *)p + value_times[i].where);
}

/* The word for an enum part_end; NULL behind the last. */
const char *part_end_word(int end);

#endif
