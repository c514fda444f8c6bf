/* SPDX-License-Identifier: BSD-2-Clause */
/* Predictions for a choice, from given, measured or nominal figures, and for machines that are not known. */
#pragma once

#include "model.h"

/*
 * The terms of a call for all engines. If the bits of the result depend on the engine, measurements may not choose it. They
 * may still set the number of blocks, unless the bits depend on that number, too (order_varies).
 *
 * Native calls are measured in a row, where one may begin before the one before has ended on all ranks. So do calls through
 * a segment. Their overlap makes like comparable with like, if the segment was measured, too. Then engines are also compared
 * with each other for calls in a row.
 */
struct outlook {
    struct terms costs, cuts; /* by which engines are compared, and messages are cut */
    bool apart;               /* the two differ */
    bool in_a_row;            /* engines are also compared for calls in a row */
};

/* `keep`: no measurement may choose the engine. `shape`: that of the call with one block. */
struct outlook outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                          const struct shape *shape);

/* Does what choose_predict() does, for native or an engine that fits. For a composed engine, sets the outlook's lanes. */
void predict_fitting(struct outlook *t, const struct facts *f, struct offer *o);

/* Sets the blocks of an offer alone, as predict_fitting() does. `lanes`: the lanes of a composed engine. */
void predict_cut(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f, int lanes,
                 struct offer *o);

/*
 * Sets the cost of every offer that is not barred to its regret: its time over the time of the best offer, on the plausible
 * machine where this quotient is largest. The list ends with an offer without an engine.
 */
void regret_list(const struct settings *s, const struct rule *rule, const struct outlook *outlook, const struct facts *f,
                 struct offer *list);
