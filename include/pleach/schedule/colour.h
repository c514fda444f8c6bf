/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The colours of engines in all that Pleach draws: plots, bars, pages. They are for white and for dark paper. Those that
 * serve the same collective can be told apart by people who do not see red or green, too.
 */
#ifndef PLEACH_COLOUR_H
#define PLEACH_COLOUR_H

/*
 * "#rrggbb" for an engine of the registry, as for "auto", which is what Pleach takes, drawn thick; grey is native. For any
 * other name the colour of "auto".
 */
const char *engine_colour(const char *name);

#endif
