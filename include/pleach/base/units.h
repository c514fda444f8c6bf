/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes, times, whole numbers and words as text, alike in any locale. */
#pragma once

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SIZE_INF INT64_MAX

enum { UNITS_TEXT = 32 }; /* bytes, with the NUL */

/* These read the whole text as one number, or return false and store nothing. */
bool size_parse(const char *text, int64_t *bytes);                   /* 1000, 64K, 1.5M, inf; whole bytes, below 2^62 */
bool time_parse(const char *text, double *seconds);                  /* 1e-6, 5us, 0.8ns; 0 or more, below 1e6 */
bool count_parse(const char *text, int least, int most, int *value); /* 12; bounds included */
bool choice_parse(const char *text, const char *words, int *value);  /* the index in words such as "plain|exact" */

static inline bool choice_among(const char *text, const char *words)
{
    int value;
    return choice_parse(text, words, &value);
}

/* These write a short text, which the functions above read back as the same. */
void size_print(int64_t bytes, char *text, size_t size);
void size_put(FILE *f, int64_t bytes);
void time_print(double seconds, char *text, size_t size);
void choice_print(int value, const char *words, char *text, size_t size);

/*
 * These round to four digits, or to whole numbers from 10000 of the largest unit on: 1.235M, 12.3us. `text` has UNITS_TEXT
 * bytes.
 */
const char *size_about(double bytes, char *text);
const char *time_about(double seconds, char *text);

/* Writes 12.5%, within +-1e6 %. `text` has UNITS_TEXT bytes. */
const char *share_about(double part, double whole, char *text);

static inline int ascending_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static inline const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* Made once: the application's locale may have a decimal comma. */
locale_t c_locale(void);
