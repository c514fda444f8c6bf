/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks at the network before it is measured. */
#pragma once

#include "comm.h"

/*
 * Collective over c, which has a private communicator and several nodes. Sets c->known.budget.message alike on all ranks,
 * and charges the budget. Returns this rank's seconds. If memory is short on a rank, the message has nominal figures.
 */
double look(struct comm *c);
