/* SPDX-License-Identifier: BSD-2-Clause */
/* The binary interfaces of MPI, and which of them an MPI library has. */
#pragma once

enum { INTERFACE_TEXT = 8192 }; /* bytes that suffice for the version text of any MPI library */

/*
 * The name of the MPI library's interface, as in the names of our parts: "mpich", "openmpi" or "abi", which is the standard
 * ABI of MPI 5; NULL if Pleach has no part for it. `find` looks up a function of the MPI library. Writes the library's
 * version text. MPI need not be initialized.
 */
const char *interface_of(void *(*find)(const char *name), char version[INTERFACE_TEXT]);
