/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules of Pleach, opened at run time, and the object that has an address. */
#pragma once

#include <stddef.h>

/*
 * Opens a module of Pleach for good, and returns its variable `symbol`, a struct that begins with the version. Returns NULL,
 * with the reason, if it is missing, cannot be loaded, or has another version. Looks in this code's folder, in two below it,
 * and in PLEACH_PKGLIBDIR.
 */
const void *module_open(const char *name, const char *symbol, char *why, size_t size);

/* The object with this address, as dlopen() returns it; NULL if unknown, or the program. Looks for no file. */
void *module_of(const void *address);
