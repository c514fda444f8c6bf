/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts for a report: the program and its surroundings. */
#pragma once

#include "rank_report.h"

/* Only `run`, seconds since the start, changes later. After the settings were read. */
struct rank_report program_facts(void);
