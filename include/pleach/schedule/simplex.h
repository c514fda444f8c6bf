/* SPDX-License-Identifier: BSD-2-Clause */
/* Half-duplex variants: no rank sends and receives in the same step. For the simulator alone. */
#pragma once

#include "engine.h"

/* NULL if the engine has none. Not in the registry. */
const struct engine *simplex_engine(const struct engine *e);

bool engine_is_simplex(const struct engine *e);

extern const struct engine engine_fractional_simplex;
