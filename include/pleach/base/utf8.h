/* SPDX-License-Identifier: BSD-2-Clause */
/* UTF-8. A byte outside of it becomes \xHH. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length and character of the first sequence; 0 if there is none. */
int utf8_length(const char *text, uint32_t *character);

/* Writes the first character, or \xHH. Returns the bytes that it stands for. */
enum { UTF8_TEXT = 5 };
int utf8_next(const char *text, char to[UTF8_TEXT]);

/* Returns false if it has cut the text, between characters. */
bool utf8_escape(const char *text, char *to, size_t size);

/* Replaces \xHH, in place. */
void utf8_unescape(char *text);
