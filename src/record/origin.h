/* SPDX-License-Identifier: BSD-2-Clause */
/* Where code comes from: so that lines of source can be found when the program has long ended. */
#ifndef PLEACH_ORIGIN_H
#define PLEACH_ORIGIN_H

/*
 * Writes the origin of the code at an address as "0x11f3 BUILD-ID NAME /path/of/file" to text[size], and returns its length.
 * The number is the address in the file, as addr2line(1) takes it. BUILD-ID is "-" if the file has none. `name` is the name
 * of the address. 0: the address is in no file, or the text is too long.
 */
int origin_text(const void *address, const char *name, char *text, int size);

#endif
