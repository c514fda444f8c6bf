/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call site: return addresses, from the caller of an MPI function outwards, named when they are written. Lines of a Python
 * script replace the interpreter's frames (python.h). No function here changes errno.
 */
#pragma once

/* Most bytes of a frame's text, and of "frame < frame < frame". */
enum { CALL_SITE_FRAMES = 32, CALL_SITE_NAME = 256, CALL_SITE_TEXT = CALL_SITE_FRAMES * (CALL_SITE_NAME + 3) };

/* Most addresses whose origin was written; most bytes of an origin. */
enum { CALL_SITE_SEEN = 1024, CALL_SITE_ORIGIN = CALL_SITE_NAME + 4096 + 256 };
struct call_site_seen {
    int count;
    void *address[2 * CALL_SITE_SEEN];
};

/*
 * Sites have at most `stack` frames, 0 to CALL_SITE_FRAMES. Without an unwinder they have the caller alone; a line says so.
 */
void call_site_open(int stack);

/*
 * Fills frame[CALL_SITE_FRAMES], innermost first, from `caller` on: at most `stack` frames and as many lines of a script.
 * NULL follows the last, if there is room. Holds no lock of Pleach while it unwinds.
 */
void call_site_capture(void *frame[], void *caller);

/*
 * Writes a site as the log has it, size >= CALL_SITE_TEXT, and returns the length. "-": no frames, or a signal handler
 * interrupts itself.
 */
int call_site_text(void *const frame[], char *text, int size);

/*
 * Writes the origin (origin.h) of the next frame that is in a file and not in `seen`, and adds it there; size >=
 * CALL_SITE_ORIGIN. Returns the length; 0 if none is left, `seen` is full, or a signal handler interrupts. One caller at a
 * time for each `seen`.
 */
int call_site_origin(void *const frame[], struct call_site_seen *seen, char *text, int size);
