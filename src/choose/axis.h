/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The axis of sizes: calls that differ in size alone. Engines are picked for classes of sizes, smallest first. A class keeps
 * the engine of the class below, if its own best has lost before on the axis and hardly gains. So choices do not flap.
 */
#pragma once

#include "choose.h"

/* The engine of a call, before the message is cut. */
struct pick {
    uint64_t lost; /* as bits: rows picked for smaller sizes, up to another engine */
    int row;
    int lanes;                 /* if composed */
    enum reason reason, picks; /* of the plan; of the policy, REASON_NONE if it refuses */
    bool below;
    bool native;
};

/* The pick for a call; `below`: for the class below. */
struct pick choose_pick(const struct settings *s, const struct rule *rule, const struct facts *f, const struct pick *below);

/* `kept`: as for choose_answer(). */
struct pick axis_pick(const struct settings *s, const struct rule *rule, const struct facts *f, struct choices *kept);

/* For a single thread, without rules. */
struct choices *choices_with(const struct settings *s);
