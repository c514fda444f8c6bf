/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The axis of sizes: calls that differ in size alone. Engines are picked for classes of sizes, from the smallest class on. A
 * class is held by the engine of the class below it, where its own best engine has lost on the axis before and hardly gains.
 * So choices do not flap where two engines cost about the same.
 */
#pragma once

#include "choose.h"

/* The engine of a call, before the message is cut. */
struct pick {
    uint64_t lost;             /* the rows that were picked for smaller sizes, up to another engine, as bits */
    int row;                   /* of the registry */
    int lanes;                 /* if the engine is composed */
    enum reason reason, picks; /* of the plan; of the policy, REASON_NONE if it refuses */
    bool below;                /* of the policy */
    bool native;               /* no engine may serve */
};

/* The pick for a call, if *below is the pick of the class below. */
struct pick choose_pick(const struct settings *s, const struct rule *rule, const struct facts *f, const struct pick *below);

/* The pick for the class of a call; `kept` as for choose_answer(). */
struct pick axis_pick(const struct settings *s, const struct rule *rule, const struct facts *f, struct choices *kept);

/* Returns what was kept with these settings, for a caller with a single thread and without rules. */
struct choices *choices_with(const struct settings *s);
