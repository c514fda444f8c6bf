/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The known word that is nearest to an unknown one: "did you mean ...?".
 *
 *     struct nearest near = {.text = "chian"};
 *     for (each known word)
 *         nearest_try(&near, word);
 *     say("no engine is called '%s'%s", near.text, nearest_hint(&near));
 */
#pragma once

enum { NEAREST_WORD = 64 };

/* The caller sets `text` and `prefix`, and sets all other fields to zero. */
struct nearest {
    const char *text;             /* the unknown word */
    int prefix;                   /* length of a beginning that all words share; nearest_try() does not count it */
    int distance;                 /* number of slips between `text` and `word` */
    char word[NEAREST_WORD];      /* the nearest word so far; "" if no word is near */
    char hint[NEAREST_WORD + 24]; /* the result of nearest_hint() */
};

/*
 * The number of slips between two words. A slip is a missing, an extra or a different character, or two characters that have
 * changed places. Upper and lower case count as equal. The result is NEAREST_WORD if a word has so many characters.
 */
int slips(const char *a, const char *b);

/*
 * Keeps the word if it is near, and nearer than all words before. A word is near if it has at most three slips, and at most
 * one for every three characters of `text` behind the prefix.
 */
void nearest_try(struct nearest *n, const char *word);

/* " (did you mean WORD?)", or "" if no word is near. The text lives as long as *n. */
const char *nearest_hint(struct nearest *n);
