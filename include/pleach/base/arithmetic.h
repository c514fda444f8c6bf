/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment of Pleach's own arithmetic: it rounds to nearest and traps nothing. Ranks choose alike because they
 * compute the same numbers from the same facts. But a program may round upwards on some ranks, or trap exceptions. So
 * choices are computed in an environment of their own, and the program does not see the exceptions that they raise. Nor does
 * it see what our own work does to errno. The operations of calls belong to the program, and run in its environment.
 */
#pragma once

#include <errno.h>
#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

/*
 * MXCSR alone has the environment of code for SSE, and takes a tenth of the time that all of <fenv.h> takes. Our arithmetic
 * has no long double.
 */
#ifdef __SSE2_MATH__
typedef unsigned environment;
enum { ENVIRONMENT_DEFAULT = 0x1f80 };
#define environment_get(e) (*(e) = _mm_getcsr())
#define environment_begin() _mm_setcsr(ENVIRONMENT_DEFAULT)
#define environment_set(e) _mm_setcsr(*(e))
#else
typedef fenv_t environment;
#define environment_get(e) fegetenv(e)
#define environment_begin() fesetenv(FE_DFL_ENV)
#define environment_set(e) fesetenv(e)
#endif

/* What the program has, and gets back. */
struct program_state {
    environment arithmetic;
    int error; /* errno */
};

/* Begins our own arithmetic. `program`: gets the state of the program. */
static inline void arithmetic_begin(struct program_state *program)
{
    program->error = errno;
    environment_get(&program->arithmetic);
    environment_begin();
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
    environment_set(&program->arithmetic);
    errno = program->error;
}
