/* SPDX-License-Identifier: BSD-2-Clause */
/* What the command and pleach-mpi, which does the work that needs MPI, both know: the subcommands and their options. */
#pragma once

#include "cli.h"

enum { PLACES_TEXT, PLACES_TSV, PLACES_DOT, PLACES_SVG };

#define EVERY_ENGINE UINT64_MAX /* --engine was not given */

struct options {
    struct word_set collectives; /* bit c: enum collective c */
    struct word_set rows;        /* bit i: row i of the registry; or EVERY_ENGINE */
    struct word_set ops;         /* operation classes of reductions and scans */
    struct range sizes;          /* bytes */
    int64_t root;
    int64_t iterations; /* repetitions; 0: as many as there is time for */
    int64_t warmups;
    int64_t learn;   /* calls from which the library learns before bench times its choice once more; 0: none */
    int64_t seconds; /* time limit of all measurements together */
    bool force;      /* measure even if ranks outnumber cores */
    int places_format;   /* of `pleach places` */
    const char *output;  /* name of the file of rules, or NULL */
    const char *report;  /* name of a report whose calls are measured, or NULL */
    const char *library; /* file of the MPI library, or NULL; pleach-mpi reads this option first */
};

extern struct options options;

extern const struct command command_tune, command_bench, command_figures, command_places;

/*
 * What `pleach doctor` runs on each rank of a job. Rank 0 prints SHARED_YES if the ranks share memory. If they do not, rank
 * 0 says SHARED_NO and why, or nothing if PLEACH_SHARED=no forbids it.
 */
extern const struct command command_shared;
#define SHARED_YES "the ranks share memory"
#define SHARED_NO "no shared memory: "

/* Do the options ask for this operation class? */
bool options_have_op(enum op_class o);
