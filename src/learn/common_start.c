/* SPDX-License-Identifier: BSD-2-Clause */
/* See common_start.h. */
#include "common_start.h"

void start_say(uint64_t lag, bool ready, uint64_t now, uint64_t word[START_WORDS])
{
    word[START_LACKS] = !ready;
    word[START_ARRIVAL] = now;
    word[START_LAG] = lag;
}

bool start_hear(const uint64_t word[START_WORDS], uint64_t *moment)
{
    *moment = word[START_ARRIVAL] + 2 * word[START_LAG];
    return !word[START_LACKS];
}

uint64_t start_lag(const uint64_t word[START_WORDS], uint64_t now)
{
    uint64_t lag = now > word[START_ARRIVAL] ? now - word[START_ARRIVAL] : 0;
    return lag < START_WAIT / 2 ? lag : START_WAIT / 2;
}
