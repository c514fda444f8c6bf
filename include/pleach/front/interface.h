/* SPDX-License-Identifier: BSD-2-Clause */
/* Binary interfaces of MPI. */
#pragma once

enum { INTERFACE_TEXT = 8192 }; /* enough for any version text */

/*
 * The interface of an MPI library, as in the names of our parts: "mpich", "openmpi" or "abi", the standard ABI of MPI 5;
 * NULL if Pleach has no part for it. `find` looks up a function of the library. Writes its version text. MPI need not be
 * initialized.
 */
const char *interface_of(void *(*find)(const char *name), char version[INTERFACE_TEXT]);
