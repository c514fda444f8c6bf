/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "did you mean ...?"
 *
 *     struct nearest near = {.text = "chian"};
 *     for (each known word)
 *         nearest_try(&near, word);
 *     say("no engine is called '%s'%s", near.text, nearest_hint(&near));
 */
#pragma once

enum { NEAREST_WORD = 64 };

/* The caller sets `text` and `prefix`, all else to zero. */
struct nearest {
    const char *text;
    int prefix; /* length of a beginning that all words share, not counted */
    int distance;
    char word[NEAREST_WORD];
    char hint[NEAREST_WORD + 24];
};

/* A slip is a character missing, extra or different, or two exchanged; case does not count. NEAREST_WORD for long words. */
int slips(const char *a, const char *b);

/*
 * Keeps the word if it is nearer than before, with at most three slips, and one for every three characters behind the
 * prefix.
 */
void nearest_try(struct nearest *n, const char *word);

/* " (did you mean WORD?)" or "", in *n. */
const char *nearest_hint(struct nearest *n);
