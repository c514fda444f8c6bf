/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the places of a communicator's hosts, or takes those of a communicator around it. */
#pragma once

#include "limit.h"
#include "comm.h"

/*
 * Collective over c, which has a private communicator. Sets found->survey, if there is something to measure: places of
 * nodes, and racks by found->path, alike on all ranks; NULL if memory or time is short. `rack`: memory for a number a node.
 */
void region_measure(struct comm *c, struct group_info *found, int *rack, struct limit *limit);

/* Collective over c, which was measured. Sets found->survey to what is known, without measuring. */
void region_keep(struct comm *c, struct group_info *found);

/*
 * Collective over c. Sets order[] to all ranks by their places, or node by node without a survey or memory; a node's ranks
 * together, ascending.
 */
void region_order(struct comm *c, const struct group_info *found, int *order);

/* Collective over c. Takes places and figures from the group info of a group around c, if there is a survey and memory. */
void region_adopt(struct comm *c, const struct group_info *found);
