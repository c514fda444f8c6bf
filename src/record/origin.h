/* SPDX-License-Identifier: BSD-2-Clause */
/* The origin of code: its file and the address there, for a tool that finds the line later. */
#pragma once

/*
 * Writes "0x11f3 BUILD-ID NAME /path/of/file": the address for addr2line(1), BUILD-ID or "-", `name`. Returns the length; 0:
 * in no file, or too long.
 */
int origin_text(const void *address, const char *name, char *text, int size);
