/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was meant by a word that is none of those that are known: "did you mean ...?".
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
    const char *text;             /* what was written */
    int prefix;                   /* so many characters at its beginning are those of every word */
    int distance;                 /* slips between it and `word` */
    char word[NEAREST_WORD];      /* the nearest word so far; "": none is near */
    char hint[NEAREST_WORD + 24]; /* of nearest_hint() */
};

/*
 * How many slips make one word of the other: a character too many, one missing, one that is another, or two that have
 * changed places. Capitals are no slips. Of longer words than NEAREST_WORD - 1 characters: NEAREST_WORD.
 */
int slips(const char *a, const char *b);

/* Keeps the word if it is nearer than those before, and near at all: a slip for every three characters, three at most. */
void nearest_try(struct nearest *n, const char *word);

/* " (did you mean WORD?)", or "" if no word is near; as long as *n is. */
const char *nearest_hint(struct nearest *n);

#endif
