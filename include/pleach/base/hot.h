/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HOT puts functions of most native calls, or of most short calls through a segment, side by side, to take few pages and
 * lines.
 */
#pragma once

#define HOT __attribute__((hot))
