/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment of Pleach's own arithmetic: it rounds to nearest and traps nothing. Ranks choose alike because they
 * compute the same numbers from the same facts. But a program may round upwards on some ranks, or trap exceptions. So
 * choices are computed in an environment of their own, and the program does not see the exceptions that they raise. Nor does
 * it see what our own work does to errno. The operations of calls belong to the program, and run in its environment.
 */
#ifndef PLEACH_ARITHMETIC_H
#define PLEACH_ARITHMETIC_H

#include <errno.h>
#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* What the program has, and gets back. */
struct program_state {
    fenv_t arithmetic;
    int error; /* errno */
};

/* Begins our own arithmetic. `program`: gets the state of the program. */
static inline void arithmetic_begin(struct program_state *program)
{
    program->error = errno;
    fegetenv(&program->arithmetic);
    fesetenv(FE_DFL_ENV);
}

/* From here on, subnormal numbers count as zeros, as in programs that were compiled with -ffast-math on x86. */
static inline void arithmetic_flush(void)
{
#ifdef __SSE__
    enum { SUBNORMAL_OPERANDS = 0x40, SUBNORMAL_RESULTS = 0x8000 };
    _mm_setcsr(_mm_getcsr() | SUBNORMAL_OPERANDS | SUBNORMAL_RESULTS);
#endif
}

/* Gives the program its state back. */
static inline void arithmetic_end(const struct program_state *program)
{
    fesetenv(&program->arithmetic);
    errno = program->error;
}

#endif
