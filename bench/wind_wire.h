/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways in which engines send in the wind tunnel. */
#pragma once

#include "wind_machine.h"
#include "wire.h"

/* Every message waits for its receiver. */
extern const struct wire wind_wire;

/*
 * A message inside a site waits for its receiver. A message to another site does not; it waits until the earlier messages of
 * this rank to other sites have left.
 */
extern const struct wire wind_wire_far;

/* No message waits for its receiver. Nothing keeps ranks from running ahead, so this wire is for short messages alone. */
extern const struct wire wind_wire_free;

/*
 * Call it on all ranks before they use wind_wire_far or wind_wire_free. The machine must have sites, and outlive the use.
 * Returns false, perhaps on some ranks only, if memory is short.
 */
bool wind_wire_open(const struct wind_machine *w);
