/* SPDX-License-Identifier: BSD-2-Clause */
/* How engines send in the wind tunnel. */
#ifndef PLEACH_WIND_WIRE_H
#define PLEACH_WIND_WIRE_H

#include "wind_machine.h"
#include "wire.h"

/* Every message waits for its receiver. */
extern const struct wire wind_wire;

/* A message to another site does not; it leaves when those before it have. The others do. */
extern const struct wire wind_wire_far;

/* No message does. This is for short ones: nothing else keeps ranks from running ahead. */
extern const struct wire wind_wire_free;

/* Collective; before the last two are used. The machine has sites. False, on some ranks: no memory. */
bool wind_wire_open(const struct wind_machine *w);

#endif
