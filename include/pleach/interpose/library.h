/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's life in a process: it starts at the first intercepted call and ends inside MPI_Finalize. */
#ifndef PLEACH_LIBRARY_H
#define PLEACH_LIBRARY_H

#include <stdbool.h>

/* Ready to serve? Starts up at the first call after MPI_Init. `caller`: return address of the intercepted call. */
bool library_ready(void *caller);

#endif
