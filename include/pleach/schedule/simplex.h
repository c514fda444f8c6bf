/* SPDX-License-Identifier: BSD-2-Clause */
/* Simplex (half-duplex) variants, in which no rank sends and receives in the same step; the simulator alone runs them. */
#pragma once

#include "engine.h"

/* An engine's simplex variant, which is not in the registry; NULL if it has none. */
const struct engine *simplex_engine(const struct engine *e);

/* Does no exchange of the engine both send and receive? */
bool engine_is_simplex(const struct engine *e);

/* The simplex variant of the fractional tree; see fractional_simplex.c. */
extern const struct engine engine_fractional_simplex;
