/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UTF-8. Names of files, functions and communicators may have any bytes, but readers of our files expect UTF-8. So a byte
 * outside of it is written as \xHH.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the sequence at the beginning of text, and its character; 0 if there is none. */
int utf8_length(const char *text, uint32_t *character);

/*
 * Writes the character at the beginning of text, or \xHH for a byte outside of UTF-8. Returns the bytes that it stands for.
 */
enum { UTF8_TEXT = 5 };
int utf8_next(const char *text, char to[UTF8_TEXT]);

/* Writes text to to[size], with bytes outside of UTF-8 as \xHH. False if it has cut the text, between two characters. */
bool utf8_escape(const char *text, char *to, size_t size);

/* Replaces \xHH by the byte again, in place. */
void utf8_unescape(char *text);
