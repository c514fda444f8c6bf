/* SPDX-License-Identifier: BSD-2-Clause */
/* Predictions for a choice: from figures given, measured or nominal, and for machines that are not known. */
#ifndef PLEACH_PREDICT_H
#define PLEACH_PREDICT_H

#include "choose.h"

/* What the settings say, else the rule; -1 where neither does. Hop and gap are as alpha. */
struct figures figures_given(const struct settings *s, const struct rule *rule);

/* Bytes of a block that the settings say, else the rule; 0 where neither does. */
int64_t block_given(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * Makes the cost of every offer that is not barred its regret: how many times as long as the best of them it takes, on the
 * plausible machine where that is most. The list ends with an offer without engine.
 */
void regret_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

#endif
