/* SPDX-License-Identifier: BSD-2-Clause */
/* Optimal string alignment. */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SLIPS = 3, LETTERS_A_SLIP = 3 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool alike(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

int slips(const char *a, const char *b)
{
    int p = (int)strnlen(a, NEAREST_WORD), q = (int)strnlen(b, NEAREST_WORD);
    int rows[3][NEAREST_WORD];
    if (p == NEAREST_WORD || q == NEAREST_WORD)
        return NEAREST_WORD;
    for (int i = 0; i <= p; i++) {
        int *d = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        for (int j = 0; j <= q; j++) {
            if (i == 0 || j == 0) {
                d[j] = i + j;
                continue;
            }
            d[j] = least(above[j - 1] + !alike(a[i - 1], b[j - 1]), 1 + least(above[j], d[j - 1]));
            if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
                d[j] = least(d[j], twice[j - 2] + 1);
        }
    }
    return rows[p % 3][q];
}

void nearest_try(struct nearest *n, const char *word)
{
    int distance = slips(n->text, word), most = least(MOST_SLIPS, ((int)strlen(n->text) - n->prefix) / LETTERS_A_SLIP);
    if (distance > most || (n->word[0] && distance >= n->distance))
        return;
    n->distance = distance;
    snprintf(n->word, sizeof n->word, "%s", word);
}

const char *nearest_hint(struct nearest *n)
{
    snprintf(n->hint, sizeof n->hint, n->word[0] ? " (did you mean %s?)" : "%s", n->word);
    return n->hint;
}
