/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as a sentence has them: two digits. All return text. They need a locale with decimal points. */
#ifndef PLEACH_PHRASES_H
#define PLEACH_PHRASES_H

enum { PHRASE = 64 };

/* "31 s", "4.2 ms"; seconds >= 0. */
const char *phrase_time(double seconds, char text[PHRASE]);

/* A part of a whole: "4.2 %", "less than 0.1 %". */
const char *phrase_share(double part, double whole, char text[PHRASE]);

/* Two of them: "13 to 26 %"; one where they are the same. */
const char *phrase_shares(double least, double most, double whole, char text[PHRASE]);

#endif
