/* SPDX-License-Identifier: BSD-2-Clause */
/* The facts in a report about the program and its surroundings. */
#pragma once

#include "rank_report.h"

/* Returns the facts. Only `run`, the seconds since the process began, changes later. The settings must have been read. */
struct rank_report program_facts(void);
