/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzzing: a program reads bytes, whatever they are, and holds what becomes of them against what must be true. libFuzzer
 * looks for bytes that break it (make check-fuzz); replay.c gives it those that are kept (tests/fuzz.sh).
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a program does with some bytes. The names are libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, which libFuzzer takes for a finding. */
#define MUST(condition, ...) ((condition) ? (void)0 : (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort()))

/* Bytes that are taken one after the other; zeros behind the last. */
struct bytes {
    const uint8_t *next;
    size_t left;
};

static inline unsigned take_byte(struct bytes *b)
{
    if (b->left == 0)
        return 0;
    b->left--;
    return *b->next++;
}

/* A number low .. high, of two bytes. */
static inline int take_number(struct bytes *b, int low, int high)
{
    unsigned number = take_byte(b) << 8;
    number |= take_byte(b);
    return low + (int)(number % (unsigned)(high - low + 1));
}

/* All that is left as a text without NUL; to be freed. */
static inline char *take_text(struct bytes *b)
{
    char *text = malloc(b->left + 1);
    MUST(text, "no memory");
    memcpy(text, b->next, b->left);
    for (size_t i = 0; i < b->left; i++)
        text[i] = (char)(text[i] ? text[i] : ' ');
    text[b->left] = 0;
    b->left = 0;
    return text;
}

#endif
