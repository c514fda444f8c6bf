/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment of Pleach's arithmetic: it rounds to nearest and traps nothing. A program may round upwards on some ranks,
 * or trap exceptions, but choices must be equal. The program does not see our exceptions, nor our errno. Operations of calls
 * run in the program's environment.
 */
#pragma once

#include <errno.h>
#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* Our arithmetic has no long double; MXCSR alone is ten times as fast as <fenv.h>. */
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

struct program_state {
    environment arithmetic;
    int error;
};

static inline void arithmetic_begin(struct program_state *program)
{
    program->error = errno;
    environment_get(&program->arithmetic);
    environment_begin();
}

/* From here on, subnormal numbers count as zeros, as with -ffast-math on x86. */
static inline void arithmetic_flush(void)
{
#ifdef __SSE__
    enum { SUBNORMAL_OPERANDS = 0x40, SUBNORMAL_RESULTS = 0x8000 };
    _mm_setcsr(_mm_getcsr() | SUBNORMAL_OPERANDS | SUBNORMAL_RESULTS);
#endif
}

static inline void arithmetic_end(const struct program_state *program)
{
    environment_set(&program->arithmetic);
    errno = program->error;
}
