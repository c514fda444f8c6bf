/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The colours of engines in all that Pleach draws: plots, bars, pages. They suit a white and a dark background. People who
 * do not see red or green can tell apart the engines of one collective.
 */
#ifndef PLEACH_COLOUR_H
#define PLEACH_COLOUR_H

/*
 * The colour of an engine, as "#rrggbb". `name` is in the registry, or "auto", which is Pleach's own choice; a name that is
 * neither has the colour of "auto". Native engines are grey.
 */
const char *engine_colour(const char *name);

#endif
