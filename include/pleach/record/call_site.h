/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call site: the return addresses of the active functions, from the caller of an MPI function outwards. A call stores the
 * addresses alone; their names are looked up later, when the site is written. Lines of a Python script take the place of the
 * interpreter's frames (src/record/python.h). No function here changes errno.
 */
#pragma once

/* CALL_SITE_NAME: most bytes of a frame's text. CALL_SITE_TEXT: most bytes of a site's text, "frame < frame < frame". */
enum { CALL_SITE_FRAMES = 32, CALL_SITE_NAME = 256, CALL_SITE_TEXT = CALL_SITE_FRAMES * (CALL_SITE_NAME + 3) };

/* The addresses whose origin was written, at most CALL_SITE_SEEN. CALL_SITE_ORIGIN: most bytes of an origin's text. */
enum { CALL_SITE_SEEN = 1024, CALL_SITE_ORIGIN = CALL_SITE_NAME + 4096 + 256 };
struct call_site_seen {
    int count;
    void *address[2 * CALL_SITE_SEEN]; /* a hash table */
};

/*
 * Makes call_site_capture() keep at most `stack` frames, 0 to CALL_SITE_FRAMES, and loads the unwinder. If there is no
 * unwinder, a site is the caller's address alone, and a line on standard error says so.
 */
void call_site_open(int stack);

/*
 * Fills frame[CALL_SITE_FRAMES] with return addresses, innermost first: `caller`, the return address of the intercepted
 * function, then the addresses further out. Takes at most `stack` frames (see call_site_open()), and at most `stack` lines
 * of a script. NULL follows the last frame unless the array is full. Holds no lock of Pleach while it unwinds.
 */
void call_site_capture(void *frame[], void *caller);

/*
 * Writes a site as the log has it to text[size], size >= CALL_SITE_TEXT. Returns the length. The text is "-" if the site has
 * no frames, or if a signal handler has interrupted this function or call_site_origin() in this thread.
 */
int call_site_text(void *const frame[], char *text, int size);

/*
 * Writes the origin (origin.h) of the next frame that is in a file and not in `seen` to text[size], size >=
 * CALL_SITE_ORIGIN, and adds the frame to `seen`. Lines of a script have no origin. Returns the length, or 0 if no such
 * frame is left, if `seen` is full, or after such an interruption. One caller at a time for each `seen`.
 */
int call_site_origin(void *const frame[], struct call_site_seen *seen, char *text, int size);
