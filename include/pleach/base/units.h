/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and writes sizes, times and whole numbers as text, in the same way in any locale. */
#pragma once

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SIZE_INF INT64_MAX /* the value of a size written `inf` */

enum { UNITS_TEXT = 32 }; /* bytes of the longest number as text, with its NUL */

/* These functions read the whole text as one number. They return false and store nothing if the text is no such number. */
bool size_parse(const char *text, int64_t *bytes);                   /* 1000, 64K, 1.5M, inf; whole bytes, below 2^62 */
bool time_parse(const char *text, double *seconds);                  /* 1e-6, 5us, 0.8ns; 0 or more, below 1e6 */
bool count_parse(const char *text, int least, int most, int *value); /* 12; both bounds included */

/* These functions write a short text that the functions above read back as the same value. */
void size_print(int64_t bytes, char *text, size_t size);
void size_put(FILE *f, int64_t bytes);
void time_print(double seconds, char *text, size_t size);

/*
 * These functions round to four digits or, from 10000 of the largest unit on, to whole numbers: 1.235M, 12.3us. They return
 * `text`, which has room for UNITS_TEXT bytes.
 */
const char *size_about(double bytes, char *text);
const char *time_about(double seconds, char *text);

/* Writes a part of a whole as 12.5%; shows no share beyond +-1e6 %. Returns `text`, with room for UNITS_TEXT bytes. */
const char *share_about(double part, double whole, char *text);

/* Compares two doubles for qsort(). */
static inline int ascending_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The ending of a noun behind a number. */
static inline const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* The C locale, made once and never freed. The application's locale may have a decimal comma. */
locale_t c_locale(void);
