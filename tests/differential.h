/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the differential test share this header. */
#ifndef TESTS_DIFFERENTIAL_H
#define TESTS_DIFFERENTIAL_H

#include "buffers.h"
#include "calls.h"

struct communicator {
    const char *name;
    MPI_Comm handle;
    int least; /* its size; of the parts of a split communicator, the smallest one's */
};
extern struct communicator communicators[];
extern int n_communicators;

struct settings {
    uint64_t seed;
    bool quick;
    const char *selection; /* part of a case's name, or NULL */
    bool intercepted;      /* false: MPI_X is the native function, bugs and all */
    int sites;             /* number of call sites, see struct call; rules may name an engine for each */
};
extern struct settings settings;

/* Starts the case of that name; false when it is not selected. Equal on all ranks of the communicator used. */
__attribute__((format(printf, 1, 2))) bool case_begin(const char *format, ...);
const char *case_name(void);
__attribute__((format(printf, 1, 2))) _Noreturn void case_fail(const char *format, ...);

void check_success(int code, const char *which);
void check_equal(const struct buffer *got, const struct buffer *want, const char *which);

void sampled_cases(void);
void special_cases(void);
void error_cases(void);

#endif
