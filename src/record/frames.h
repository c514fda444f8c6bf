/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of call sites: the names of return addresses. Naming one takes a tenth of a millisecond, and more in a large
 * library, so names are kept. By one thread at a time.
 */
#ifndef PLEACH_FRAMES_H
#define PLEACH_FRAMES_H

#include <stdbool.h>

/* The meaning of a frame for the text of a site. MPI: an MPI library's, or a binding's. */
enum frame_kind { FRAME_PLAIN, FRAME_MPI, FRAME_LIBC, FRAME_MAIN, FRAME_BEYOND_MAIN };

struct frame {
    void *address;
    enum frame_kind kind;
    int length;       /* of the name */
    const char *name; /* as call_site_name() has it */
};

/* Gives frames their names by libunwind, which was opened. Without it, the symbols that the loader knows give them. */
void frames_open(void *libunwind);

/* What is known of a return address. It stays until frames_trim(). */
const struct frame *frame_of(void *address);

/* Forgets all frames if the frames of a few more sites may find no room. */
void frames_trim(void);

#endif
