/* SPDX-License-Identifier: BSD-2-Clause */
/* Predictions for a choice, from given, measured or nominal figures, and on plausible machines. */
#pragma once

#include "model.h"

/*
 * The terms of a call. Where bits depend on the engine, measurements only cut messages, and not even that with order_varies.
 */
struct outlook {
    struct terms costs, cuts; /* to compare engines, and to cut messages */
    struct figures given;     /* by the user */
    bool anywhere;            /* compare them on all plausible machines, not by `costs` */
    bool apart;
    bool in_a_row; /* compare them in a row, too: native calls were measured so, and calls through a segment overlap alike */
};

/* `keep`: no measurement may choose the engine. `shape`: with one block. */
struct outlook outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                          const struct shape *shape);

/* choose_predict() for native, or an engine that fits. Sets the outlook's lanes, if it is composed. */
void predict_fitting(struct outlook *t, const struct facts *f, struct offer *o);

/* Sets the blocks alone. `lanes`: of a composed engine. */
void predict_cut(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f, int lanes,
                 struct offer *o);

/*
 * Sets costs to regrets: the time over the best offer's, on the plausible machine where that is largest. A composed engine
 * then has the number of lanes with the least regret.
 */
void regret_list(struct outlook *outlook, const struct facts *f, struct offer *list);
