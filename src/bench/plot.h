/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Draws the picture of a benchmark (--plot): bandwidth over message size. The picture has curves of the native call, of the
 * library's choice, and of engines: at each size, one of the fastest has a curve. A line shows the limit of the wire.
 */
#ifndef PLEACH_PLOT_H
#define PLEACH_PLOT_H

#include "agenda.h"

/* Collective, before all measurements: ends the job if the picture cannot be drawn or written. */
void plot_check(void);

/* Adds the median time of a contender. */
void plot_add(const struct agenda_item *item, const struct contender *c);

/* Draws and writes the picture; ends the command if that fails. Rank 0 alone calls it, after MPI_Finalize. */
void plot_write(void);

#endif
