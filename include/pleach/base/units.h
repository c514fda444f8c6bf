/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes, times and whole numbers, from text and to text in any locale. */
#ifndef PLEACH_UNITS_H
#define PLEACH_UNITS_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SIZE_INF INT64_MAX /* the value of a size written `inf` */

enum { UNITS_TEXT = 32 }; /* most bytes of a number as text, with the NUL */

/* These read a whole text and store its value. False, with nothing changed, if it has none. */
bool size_parse(const char *text, int64_t *bytes);                   /* 1000, 64K, 1.5M, inf; whole bytes, below 2^62 */
bool time_parse(const char *text, double *seconds);                  /* 1e-6, 5us, 0.8ns; 0 or more, below 1e6 */
bool count_parse(const char *text, int least, int most, int *value); /* 12; both bounds included */

/* These write the shortest text that reads back as the same value. */
void size_print(int64_t bytes, char *text, size_t size);
void size_put(FILE *f, int64_t bytes);
void time_print(double seconds, char *text, size_t size);

/* Four digits, for people: 1.235M, 12.3us. They return `text`, which has room for UNITS_TEXT bytes. */
const char *size_about(double bytes, char *text);
const char *time_about(double seconds, char *text);

/* The C locale, as the application's may have a decimal comma. Made once, never freed. */
locale_t c_locale(void);

#endif
