/* SPDX-License-Identifier: BSD-2-Clause */
/* Text from outside in HTML and SVG. */
#pragma once

#include <stdio.h>

/* Writes a text: escapes the special characters of HTML; control characters and invalid UTF-8 become U+FFFD. */
void html_text(FILE *f, const char *text);
