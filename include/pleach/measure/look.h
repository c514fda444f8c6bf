/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks at the network before it is measured. */
#pragma once

#include "comm.h"

/*
 * Collective over c, which has a private communicator and several nodes. Sets c->known.budget.message, with the same result
 * on all ranks, and charges the budget with the time. Returns the seconds that this took on this rank. If memory is short on
 * a rank, the message has nominal figures.
 */
double look(struct comm *c);
