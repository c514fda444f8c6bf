/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places that are measured: the hosts of a communicator, and what of them is known from communicators around or inside. What
 * is known differs between the ranks of a merged communicator, so they ask each other first.
 */
#ifndef PLEACH_REGION_H
#define PLEACH_REGION_H

#include "limit.h"
#include "nodes.h"

/*
 * Collective over c, whose private communicator exists: finds the places of its nodes, which `list` tells, and sets
 * found->survey, the same on all ranks; NULL where there is nothing to measure, or no memory, or no time. Where some of the
 * nodes are known from an earlier survey, only the others are measured, unless all are to be measured anew.
 */
void region_measure(struct comm *c, const struct by_node *list, struct group_info *found, bool anew, struct limit *limit);

/* Likewise, but what is known of c's places stays, and nothing is measured. */
void region_keep(struct comm *c, const struct by_node *list, struct group_info *found);

/*
 * Collective over c: puts the ranks in `list` place by place, as found->survey has them, those of a node one after the other
 * as before. Nothing is changed where there is none, or no memory on some rank.
 */
void region_sort(struct comm *c, struct by_node *list, const struct group_info *found);

/*
 * Collective over c, if `found`, of a group around it, has a survey: sets the measured places of c and its figures by
 * level. If some rank has no memory, the sure places stay.
 */
void region_take(struct comm *c, const struct group_info *found);

#endif
