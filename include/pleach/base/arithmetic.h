/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment of Pleach's own arithmetic: it rounds to nearest and traps nothing. Ranks choose alike because they
 * compute the same numbers from the same facts. But a program may round upwards on some ranks, or trap exceptions. So
 * choices are computed in an environment of their own, and the program does not see the exceptions that they raise. The
 * operations of calls belong to the program, and run in its environment.
 */
#ifndef PLEACH_ARITHMETIC_H
#define PLEACH_ARITHMETIC_H

#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* Begins our own arithmetic. `program`: gets the environment of the program. */
static inline void arithmetic_begin(fenv_t *program)
{
    fegetenv(program);
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

/* Gives the program its environment back. */
static inline void arithmetic_end(const fenv_t *program)
{
    fesetenv(program);
}

#endif
