/* SPDX-License-Identifier: BSD-2-Clause */
/* Candidates: the engines that trials compare, native among them. */
#pragma once

#include "engine.h"

#include <stdint.h>

/* The most engines in trials of a short call, beside the model's choice; the most algorithms of the MPI library. */
enum { SHORT_ENGINES = 4, OWN_MOST = 13, CANDIDATES = SHORT_ENGINES + 2 + OWN_MOST };

/* Trials of calls with fewer bytes have more rounds. */
#define SHORT_BYTES (INT64_C(64) << 10)
