/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers for sentences, with two digits. All functions return text, and need a locale with decimal points. */
#ifndef PLEACH_PHRASES_H
#define PLEACH_PHRASES_H

enum { PHRASE = 64 };

/* "31 s", "4.2 ms"; seconds >= 0. */
const char *phrase_time(double seconds, char text[PHRASE]);

/* A part of a whole: "4.2 %", "less than 0.1 %". */
const char *phrase_share(double part, double whole, char text[PHRASE]);

/* A range of parts: "13 to 26 %"; "13 %" if both have the same digits. */
const char *phrase_shares(double least, double most, double whole, char text[PHRASE]);

#endif
