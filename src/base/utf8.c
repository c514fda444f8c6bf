/* SPDX-License-Identifier: BSD-2-Clause */
/* See utf8.h. */
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int utf8_length(const char *text, uint32_t *character)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } kind[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *byte = (const unsigned char *)text;
    int more = 0;
    while (more < 4 && (byte[0] & kind[more].mask) != kind[more].lead)
        more++;
    if (more == 4)
        return 0;
    uint32_t code = byte[0] & (unsigned char)~kind[more].mask;
    for (int i = 1; i <= more; i++) { /* a NUL is no continuation */
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3f);
    }
    *character = code;
    return code < kind[more].least || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff ? 0 : more + 1;
}

int utf8_next(const char *text, char to[UTF8_TEXT])
{
    uint32_t character;
    const int bytes = utf8_length(text, &character);
    if (bytes)
        snprintf(to, UTF8_TEXT, "%.*s", bytes, text);
    else
        snprintf(to, UTF8_TEXT, "\\x%02x", (unsigned char)*text);
    return bytes ? bytes : 1;
}

bool utf8_escape(const char *text, char *to, size_t size)
{
    char one[UTF8_TEXT];
    size_t used = 0;
    for (int bytes; *text; text += bytes) {
        bytes = utf8_next(text, one);
        const size_t more = strlen(one);
        if (used + more >= size)
            break;
        memcpy(to + used, one, more);
        used += more;
    }
    to[used] = 0;
    return !*text;
}

void utf8_unescape(char *text)
{
    for (char *c = text; (c = strstr(c, "\\x")); c++) {
        const char digits[] = {c[2], c[2] ? c[3] : 0, 0};
        char *end;
        const long byte = strtol(digits, &end, 16);
        if (byte >= 0x80 && !*end) {
            *c = (char)byte;
            memmove(c + 1, c + 4, strlen(c + 4) + 1);
        }
    }
}
