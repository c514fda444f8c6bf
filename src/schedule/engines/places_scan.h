/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over two trees over places, for tree_pair_scan(); see places_scan.c. They use the slots T0 .. T4. The exclusive scan
 * keeps its input.
 */
#ifndef PLEACH_PLACES_SCAN_H
#define PLEACH_PLACES_SCAN_H

#include "trees.h"

/* Over the pair of all ranks, for places whose ranks lie in the order of the positions; and through gates, for sites that
 * also are in a line. */
extern const struct trees places_scan, gates_scan;

#endif
