/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the parts of the differential test share. */
#pragma once

#include "buffers.h"
#include "calls.h"

struct communicator {
    const char *name;
    MPI_Comm handle;
    int least; /* its number of ranks; for a split communicator, that of the smallest part */
};
extern struct communicator communicators[];
extern int n_communicators;

struct settings {
    uint64_t seed;
    bool quick;
    int every;             /* reductions have every Nth combination of datatype and operation; 0: none */
    const char *selection; /* run only the cases whose names contain this text; NULL: all cases */
    bool intercepted;      /* false if MPI_X is the native function, with its bugs */
    int sites;             /* the number of call sites (see struct call); rules may name an engine for each */
};
extern struct settings settings;

/* Starts the case of this name; returns false if the case is not selected. All ranks must give the same name. */
__attribute__((format(printf, 1, 2))) bool case_begin(const char *format, ...);
const char *case_name(void);
__attribute__((format(printf, 1, 2))) _Noreturn void case_fail(const char *format, ...);

void check_success(int code, const char *which);
void check_equal(const struct buffer *got, const struct buffer *want, const char *which);

void sampled_cases(void);
void special_cases(void);
void error_cases(void);
