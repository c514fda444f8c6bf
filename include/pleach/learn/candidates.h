/* SPDX-License-Identifier: BSD-2-Clause */
/* Candidates: the engines that trials compare, native among them. */
#pragma once

#include "engine.h"

#include <stdint.h>

/* SHORT_ENGINES: the most engines that trials of a short call compare, apart from the model's choice. */
enum { SHORT_ENGINES = 4, CANDIDATES = SHORT_ENGINES + 2 + ALGORITHMS };

/* Times of calls with fewer bytes are noisier, and trials of them cheaper. */
#define SHORT_BYTES (INT64_C(64) << 10)
