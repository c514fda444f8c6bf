/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of return addresses, which are kept, as a look-up is slow. One caller at a time. */
#pragma once

/* FRAME_MPI: in an MPI library or its binding. FRAME_BEYOND_MAIN: starts main(). See call_site.c. */
enum frame_type { FRAME_PLAIN, FRAME_MPI, FRAME_LIBC, FRAME_MAIN, FRAME_BEYOND_MAIN };

struct frame {
    void *address;
    enum frame_type type;
    int length;
    const char *name; /* of a function, or by python_name() */
};

/* The frame of a return address, valid until frames_trim(). */
const struct frame *frame_of(void *address);

/* Forgets all if there might be no room for one more site. */
void frames_trim(void);
