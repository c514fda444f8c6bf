/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded objects: modules of Pleach, which are opened at run time, and the object that has an address. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the module `name`, such as "libpleach-report.so", for good. Returns its variable `symbol`, a struct that begins with
 * the version of Pleach. Returns NULL, with the reason in why[size], if the module is missing, cannot be loaded, or has
 * another version. Looks first in the folder of this code and in two folders below it; so the file is found in a build
 * folder, and in an installed tree that was moved, too. Then looks in PLEACH_PKGLIBDIR.
 */
const void *module_open(const char *name, const char *symbol, char *why, size_t size);

/*
 * The object that has this address, as dlopen() returns it. Returns NULL if it is unknown, or is the program itself. The
 * loader knows objects by their names, so it looks for no file.
 */
void *module_of(const void *address);
