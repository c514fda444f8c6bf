/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measured places: the hosts of a communicator, and what communicators around or inside it have found about them. The ranks
 * of a merged communicator know different things, so they first ask each other.
 */
#ifndef PLEACH_REGION_H
#define PLEACH_REGION_H

#include "limit.h"
#include "nodes.h"

/*
 * Collective over c, whose private communicator exists: finds the places of its nodes, which are in `list`, and sets
 * found->survey, the same on all ranks; NULL if there is nothing to measure, or no memory, or no time. If an earlier survey
 * has some of the nodes, it measures only the others, unless `anew`.
 */
void region_measure(struct comm *c, const struct by_node *list, struct group_info *found, bool anew, struct limit *limit);

/* Likewise, but keeps what is known of c's places, and measures nothing. */
void region_keep(struct comm *c, const struct by_node *list, struct group_info *found);

/*
 * Collective over c: sorts the ranks in `list` by place, according to found->survey; ranks of a node stay together in their
 * order. Changes nothing if there is no survey, or some rank has no memory.
 */
void region_sort(struct comm *c, struct by_node *list, const struct group_info *found);

/*
 * Collective over c. If `found`, of a group around it, has a survey: sets the measured places of c and its figures by level.
 * If some rank has no memory, the sure places stay.
 */
void region_take(struct comm *c, const struct group_info *found);

#endif
