/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by fuzzing programs. A fuzzing program accepts any bytes as its input and checks what must be true of the results.
 * libFuzzer looks for inputs that break it (make check-fuzz); replay.c gives it the inputs of the corpus (fuzz.sh).
 */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tries one input. The names are libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts the program unless the condition is true; libFuzzer reports that. */
#define MUST(condition, ...) ((condition) ? (void)0 : (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort()))

/* The input, from which bytes are taken one after the other; after the last one come zeros. */
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

/* Takes two bytes as a number low .. high. */
static inline int take_number(struct bytes *b, int low, int high)
{
    unsigned number = take_byte(b) << 8;
    number |= take_byte(b);
    return low + (int)(number % (unsigned)(high - low + 1));
}

/* Takes all bytes that are left as a text; a NUL becomes a blank. The caller frees it. */
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
