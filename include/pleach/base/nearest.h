/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The known word that is nearest to an unknown one: "did you mean ...?".
 *
 *     struct nearest near = {.text = "chian"};
 *     for (each known word)
 *         nearest_try(&near, word);
 *     say("no engine is called '%s'%s", near.text, nearest_hint(&near));
 */
#ifndef PLEACH_NEAREST_H
#define PLEACH_NEAREST_H

enum { NEAREST_WORD = 64 };

/* All but `text` begins as zeros. */
struct nearest {
    const char *text;             /* the unknown word */
    int prefix;                   /* length of the beginning that all words share */
    int distance;                 /* slips between `text` and `word` */
    char word[NEAREST_WORD];      /* the nearest word so far; "": none is near */
    char hint[NEAREST_WORD + 24]; /* of nearest_hint() */
};

/*
 * The number of slips between two words. A slip is an extra, a missing or a different character, or two that have changed
 * places. Case is no slip. NEAREST_WORD if a word has more than NEAREST_WORD - 1 characters.
 */
int slips(const char *a, const char *b);

/* Keeps the word if it is nearer than those before, and near: at most one slip for every three characters, and three. */
void nearest_try(struct nearest *n, const char *word);

/* " (did you mean WORD?)", or "" if no word is near. The text lives as long as *n. */
const char *nearest_hint(struct nearest *n);

#endif
