/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory of simulated nodes. On the platform `cluster' of scripts/wind-tunnel, a host computes bytes instead of flops:
 * its speed is the rate at which a core loads and stores, and it has as many cores as its memory can serve at that rate. All
 * its ranks share this memory. A copy of m bytes loads and stores 2m bytes, and a fold 3m. This holds for engines and for
 * native calls alike.
 *
 * A message inside a node, native or of an engine, is copied twice. It crosses two links that stand for the copies: on the
 * first, each message goes as fast as a core copies; on the second, all messages of the node together go at a quarter of the
 * memory's rate. SMPI shares out links and cores separately, so messages inside a node and the ranks' own copies do not slow
 * each other. This favours messages.
 */
#pragma once

#include "operation.h"
#include "wind_machine.h"

/*
 * Collective: gives the ranks of each node a segment, and measures its figures. Sets what the channel and the machine know
 * of it. False, perhaps on some ranks only, if memory is short.
 */
bool wind_memory_open(struct wind_machine *w, struct channel *channel);

/*
 * Between these calls, copies and folds of this rank take time. If `real` is false, no data are copied, and no rank may look
 * at results. The ranks of all nodes run in one process, so `real` is the same for all. No effect without
 * wind_memory_open().
 */
void wind_memory_begin(bool real);
void wind_memory_end(void);

/* Waits, in simulated time, as long as this rank takes to load and store so many bytes. */
void wind_memory_work(double bytes);
