/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call sites: the return addresses from the caller of an MPI function outwards. They are taken during the call; their names
 * are looked up when the site is written. Where an interpreter of Python is among the callers, the lines of the script stand
 * in its place (python.h in src/record). No function here changes errno.
 */
#ifndef PLEACH_SITE_H
#define PLEACH_SITE_H

/* SITE_NAME: longest text of one frame. SITE_TEXT: longest text of a call site, its frames joined by ' < '. */
enum { SITE_FRAMES = 32, SITE_NAME = 256, SITE_TEXT = SITE_FRAMES * (SITE_NAME + 3) };

/* Addresses of which somebody was told, as many as SITE_SEEN; SITE_ORIGIN: longest text of what is told. */
enum { SITE_SEEN = 1024, SITE_ORIGIN = SITE_NAME + 4096 + 256 };
struct site_seen {
    int count;
    void *address[2 * SITE_SEEN]; /* a hash table */
};

/*
 * Makes site_take() keep `stack` frames, SITE_FRAMES at most, 0 for none, and loads the unwinder. Where there is none, a
 * site is the caller's address alone, and one line on standard error says so.
 */
void site_open(int stack);

/*
 * Fills frame[SITE_FRAMES] with return addresses, innermost first: `caller`, the return address of the intercepted function,
 * then those further out, as many as site_open() was told, and as many lines of a script. NULL ends them. No lock of ours is
 * held while unwinding.
 */
void site_take(void *frame[], void *caller);

/* Writes the column `site`, '-' for no frames, to text[size], size >= SITE_TEXT, and returns its length. */
int site_text(void *const frame[], char *text, int size);

/*
 * Writes where a frame of the text comes from that was not seen yet, as in origin.h, to text[size], size >= SITE_ORIGIN, and
 * returns its length: 0 if there is none any more, or as many as can be have been seen. One caller at a time for each
 * `seen`.
 */
int site_origin(void *const frame[], struct site_seen *seen, char *text, int size);

/* The text of a return address: "function+0x1f" if known, else "module+0x1234". Returns text. */
const char *site_name(void *address, char *text, int size);

#endif
