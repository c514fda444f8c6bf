/* SPDX-License-Identifier: BSD-2-Clause */
/* Where code comes from: so that lines of source can be found when the program has long ended. */
#ifndef PLEACH_ORIGIN_H
#define PLEACH_ORIGIN_H

/*
 * Writes the file from which the code at an address was loaded, as "0x11f3 BUILD-ID NAME /path/of/file" to text[size], and
 * returns its length: first the address in that file, as addr2line(1) takes it; "-" for a file without a build-id; `name` is
 * what the address is called. 0: it is in no file, or the text is too long.
 */
int origin_text(const void *address, const char *name, char *text, int size);

#endif
