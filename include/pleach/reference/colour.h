/* SPDX-License-Identifier: BSD-2-Clause */
/* Colours of engines, on white and dark backgrounds, also for people who do not see red, green or blue. */
#pragma once

#include <stdint.h>

enum { COLOURS = 8, COLOURED = 64 /* more than rows of the registry */ };

/*
 * "#rrggbb" of the engines in a picture: bit i of `shown` and colour[i] are row i of the registry. Native engines are grey,
 * the first COLOURS others have the palette in order, the rest a dark grey.
 */
void engine_colours(uint64_t shown, const char *colour[COLOURED]);
