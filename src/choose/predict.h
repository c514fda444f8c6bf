/* SPDX-License-Identifier: BSD-2-Clause */
/* Predictions for a choice, from given, measured or nominal figures, and for machines that are not known. */
#ifndef PLEACH_PREDICT_H
#define PLEACH_PREDICT_H

#include "choose.h"

/* Does what choose_predict() does, for native or an engine that fits. `keep`: no measurement may choose the engine. */
void predict_fitting(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep, struct offer *o);

/*
 * Sets the cost of every offer that is not barred to its regret: its time over the time of the best offer, on the plausible
 * machine where this quotient is largest. The list ends with an offer without an engine.
 */
void regret_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list);

#endif
