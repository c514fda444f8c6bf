/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The origin of code: its file, and its address in the file. From it, a tool finds the line of source after the program has
 * ended.
 */
#pragma once

/*
 * Writes the origin of the code at an address to text[size] as "0x11f3 BUILD-ID NAME /path/of/file", and returns its length.
 * The number is the address in the file, for addr2line(1). BUILD-ID is "-" if the file has none. NAME is `name`, the name of
 * the address. Returns 0 if the address is in no file, or if the text is too long.
 */
int origin_text(const void *address, const char *name, char *text, int size);
