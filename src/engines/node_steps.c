/* SPDX-License-Identifier: BSD-2-Clause */
/* See node_steps.h. */
#include "node_steps.h"

#include <assert.h>

/* The use of cursor.state. */
enum { NODE_ROUND, NODE_BEAT };

/* False at the end. */
static bool next_beat(struct cursor *c, const struct schedule *s, int64_t *round, int *beat)
{
    const int64_t work = s->number[NODE_WORK], end = work + s->number[NODE_OUT], lag = s->number[NODE_LAG];
    int64_t *k = &c->state[NODE_ROUND], *b = &c->state[NODE_BEAT];
    for (;; *b = 0, ++*k) {
        if (*k >= s->rounds + (end > work ? lag : 0))
            return false;
        if (*k >= s->rounds && *b < work)
            *b = work;
        if (*b < (*k < lag ? work : end))
            break;
    }
    *beat = (int)(*b)++;
    *round = *k - (*beat >= work ? lag : 0);
    return true;
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    int64_t round;
    int beat;
    if (!next_beat(c, s, &round, &beat))
        return false;
    s->beat(c, s, round, beat);
    if (beat == s->number[NODE_WORK] + s->number[NODE_OUT] - 1)
        node_push(c, s, STEP_LEAVE, round, NOBODY, 0);
    return true;
}

void node_begin(struct schedule *s, node_beat *beats, int64_t rounds, int work, int out, int lag)
{
    assert(lag >= 1 && lag < s->shape.depth);
    s->refill = refill;
    s->beat = beats;
    s->rounds = rounds;
    s->number[NODE_WORK] = work;
    s->number[NODE_OUT] = out;
    s->number[NODE_LAG] = lag;
    s->numbers = NODE_NUMBERS;
}
