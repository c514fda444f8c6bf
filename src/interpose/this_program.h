/* SPDX-License-Identifier: BSD-2-Clause */
/* The facts in a report about the program and its surroundings. */
#ifndef PLEACH_PROGRAM_H
#define PLEACH_PROGRAM_H

#include "rank_report.h"

/* The facts that do not change, once the settings have been read; `run`: seconds that the process has run so far. */
struct rank_report program_facts(void);

#endif
