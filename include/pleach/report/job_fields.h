/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of a report in JSON, which pleach-report(5) describes. The writer (job_json.c) and the reader (job_read.h)
 * share them. A field that is 0, or a text that is missing, is left out; null is a number below 0, which is unknown.
 */
#pragma once

#include "job.h"

#define JOB_JSON_NAME "pleach_report" /* the name of the first field, which has the version */
enum { JOB_JSON_VERSION = 1 };

enum job_type {
    JOB_WORD,       /* const char *; NULL: missing */
    JOB_COLLECTIVE, /* enum collective */
    JOB_ENGINE,     /* int, a row of engines[] */
    JOB_REASON,     /* enum reason */
    JOB_END,        /* enum rank_end */
    JOB_CLASS,      /* int, a size class: the most bytes of its calls; -1: missing */
    JOB_TRUTH,      /* bool */
    JOB_INT,        /* int */
    JOB_COUNT,      /* int64_t */
    JOB_DOUBLE      /* double */
};

struct job_field {
    const char *name; /* NULL ends a list */
    enum job_type type;
    size_t where;
};

extern const struct job_field job_head[];   /* of struct job */
extern const struct job_field job_group[];  /* of struct job_group */
extern const struct job_field job_ranks[];  /* of struct job_rank */
extern const struct job_field job_others[]; /* of struct rank_other */
extern const struct job_field job_calls[];  /* of struct job_call */

/* The names of the lists of groups, by dimension. */
extern const char *const job_lists[DIMENSIONS];
