/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the places of a communicator's hosts, or takes them from a communicator around it. */
#pragma once

#include "limit.h"
#include "comm.h"

/*
 * Collective over c, which has a private communicator. Finds the places of c's nodes by measuring, and their racks by
 * found->path; sets found->survey, with the same result on all ranks. Sets found->survey to NULL if memory or time is short.
 * Does nothing if there is nothing to measure. `rack`: scratch memory for a number for each node.
 */
void region_measure(struct comm *c, struct group_info *found, int *rack, struct limit *limit);

/* Collective over c, which was measured. Sets found->survey to what is known of c's places, without measuring. */
void region_keep(struct comm *c, struct group_info *found);

/*
 * Collective over c. Sets order[] to all ranks of c, by their places in found->survey; node by node if there is no survey,
 * or if memory is short on a rank. The ranks of a node stand together, and ascend.
 */
void region_order(struct comm *c, const struct group_info *found, int *order);

/*
 * Collective over c. `found` is the group info of a group around c. If it has a survey, sets c's measured places and their
 * figures. If memory is short on a rank, c keeps the places that it has.
 */
void region_adopt(struct comm *c, const struct group_info *found);
