/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call sites: the return addresses from the caller of an MPI function outwards. They are taken during the call; their names
 * are looked up when the site is written. The lines of a Python script stand in the place of its interpreter's frames
 * (python.h in src/record). No function here changes errno.
 */
#ifndef PLEACH_CALL_SITE_H
#define PLEACH_CALL_SITE_H

/* CALL_SITE_NAME: longest text of one frame. CALL_SITE_TEXT: longest text of a call site, its frames joined by ' < '. */
enum { CALL_SITE_FRAMES = 32, CALL_SITE_NAME = 256, CALL_SITE_TEXT = CALL_SITE_FRAMES * (CALL_SITE_NAME + 3) };

/* Addresses whose origin was written, CALL_SITE_SEEN at most. CALL_SITE_ORIGIN: longest text of an origin. */
enum { CALL_SITE_SEEN = 1024, CALL_SITE_ORIGIN = CALL_SITE_NAME + 4096 + 256 };
struct call_site_seen {
    int count;
    void *address[2 * CALL_SITE_SEEN]; /* a hash table */
};

/*
 * Makes call_site_take() keep `stack` frames, CALL_SITE_FRAMES at most, 0 for none, and loads the unwinder. Without an
 * unwinder a site is the caller's address alone, and one line on standard error says so.
 */
void call_site_open(int stack);

/*
 * Fills frame[CALL_SITE_FRAMES] with return addresses, innermost first: `caller`, the return address of the intercepted
 * function, then those further out. Takes up to `stack` frames of call_site_open(), and as many lines of a script. NULL ends
 * them. Holds no lock of ours while unwinding.
 */
void call_site_take(void *frame[], void *caller);

/* Writes the column `site`, '-' for no frames, to text[size], size >= CALL_SITE_TEXT, and returns its length. */
int call_site_text(void *const frame[], char *text, int size);

/*
 * Writes the origin (origin.h) of the next frame that is not in `seen` to text[size], size >= CALL_SITE_ORIGIN, and adds the
 * frame to `seen`. Returns the length; 0: no such frame is left, or `seen` is full. One caller at a time for each `seen`.
 */
int call_site_origin(void *const frame[], struct call_site_seen *seen, char *text, int size);

/* The text of a return address: "function+0x1f" if known, else "module+0x1234". Returns text. */
const char *call_site_name(void *address, char *text, int size);

#endif
