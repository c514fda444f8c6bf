/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of call sites: the names of return addresses. The look-up of a name takes 0.1 ms, and more in a large library, so
 * names are kept. One caller at a time.
 */
#pragma once

/*
 * The kind of a frame. The text of a call site leaves out frames of some kinds; see call_site.c. FRAME_MPI: the frame is in
 * an MPI library or in its binding to another language. FRAME_BEYOND_MAIN: its function starts main().
 */
enum frame_type { FRAME_PLAIN, FRAME_MPI, FRAME_LIBC, FRAME_MAIN, FRAME_BEYOND_MAIN };

struct frame {
    void *address;
    enum frame_type type;
    int length;       /* of the name */
    const char *name; /* from python_name() for a line of a script, else from the symbols */
};

/* The frame of a return address. It stays valid until frames_trim(). */
const struct frame *frame_of(void *address);

/* Forgets all frames if the frames of one more site might find no room. */
void frames_trim(void);
