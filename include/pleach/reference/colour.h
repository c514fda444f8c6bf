/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The colours of engines in all that Pleach draws: plots, bars, pages. They suit a white and a dark background. People who
 * do not see red, green or blue can tell them apart, too.
 */
#pragma once

#include <stdint.h>

enum { COLOURS = 8, COLOURED = 64 /* more than rows of the registry */ };

/*
 * Gives the engines of a picture their colours, as "#rrggbb": bit i of `shown` is row i of the registry, colour[i] its
 * colour. Native engines are grey. The other engines shown get the first colours of the palette, in the registry's order. If
 * they are more than COLOURS, the rest share a dark grey, as do engines that are not shown.
 */
void engine_colours(uint64_t shown, const char *colour[COLOURED]);
