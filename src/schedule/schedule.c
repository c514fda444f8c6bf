/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator that all engines share: it merges a rank's lanes by step number; see schedule.h. */
#include "schedule.h"

static const char *const slot_names[SLOTS] = {"in", "out", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};

const char *slot_name(int slot)
{
    return slot_names[slot];
}

static bool refill_from_lanes(struct schedule *s);

void schedule_clear(struct schedule *s)
{
    s->refill = refill_from_lanes;
    s->lanes = 0;
    s->first = s->last = 0;
}

void schedule_custom(struct schedule *s, const struct shape *shape, int rank, bool (*refill)(struct schedule *s))
{
    schedule_clear(s);
    s->refill = refill;
    s->shape = *shape;
    s->rank = rank;
}

void schedule_push(struct schedule *s, struct step step)
{
    s->pending[s->last++] = step;
}

void schedule_push_act(struct schedule *s, enum step_kind kind, int a, int b, int64_t block)
{
    schedule_push(s, (struct step){.kind = kind, .to = NOBODY, .from = NOBODY, .a = {a, block}, .b = {b, block}});
}

void schedule_lane(struct schedule *s, struct lane lane)
{
    if (lane.left > 0)
        s->lane[s->lanes++] = lane;
}

void schedule_alone(struct schedule *s, const struct shape *shape)
{
    schedule_lane(s, (struct lane){.leg = LEG_LOCAL,
                                   .peer = NOBODY,
                                   .before = {{STEP_COPY, SLOT_IN, SLOT_OUT}},
                                   .period = 1,
                                   .left = shape->blocks});
}

static struct piece piece_of(uint8_t slot, int64_t block)
{
    struct piece p = {.slot = slot, .block = block};
    if (slot & SLOT_ALTERNATE)
        p.slot = (slot & ~SLOT_ALTERNATE) + (int)(block & 1);
    return p;
}

static void push_acts(struct schedule *s, const struct act act[2], int64_t block)
{
    for (int i = 0; i < 2 && act[i].kind; i++)
        s->pending[s->last++] = (struct step){.kind = act[i].kind,
                                              .to = NOBODY,
                                              .from = NOBODY,
                                              .a = piece_of(act[i].a, block),
                                              .b = piece_of(act[i].b, block)};
}

/*
 * Puts the rank's next step number with everything that belongs to it into `pending`; false if no message is left. The
 * lanes that are due are at most one of each leg, so one exchange holds them all. (An engine that breaks this rule yields
 * two exchanges of equal number, which the simulator refuses.)
 */
static bool refill_from_lanes(struct schedule *s)
{
    struct lane *due[LEG_RECV + 1] = {0};
    int64_t when = INT64_MAX;
    for (int i = 0; i < s->lanes; i++)
        if (s->lane[i].left && s->lane[i].when < when)
            when = s->lane[i].when;
    if (when == INT64_MAX)
        return false;
    for (int i = 0; i < s->lanes; i++)
        if (s->lane[i].left && s->lane[i].when == when && !due[s->lane[i].leg])
            due[s->lane[i].leg] = &s->lane[i];

    for (int leg = LEG_LOCAL; leg <= LEG_RECV; leg++)
        if (due[leg])
            push_acts(s, due[leg]->before, due[leg]->block);
    const struct lane *send = due[LEG_SEND], *recv = due[LEG_RECV];
    if (send || recv) {
        struct step *x = &s->pending[s->last++];
        *x = (struct step){.kind = STEP_EXCHANGE, .when = when, .to = NOBODY, .from = NOBODY};
        if (send) {
            x->to = send->peer;
            x->a = piece_of(send->slot, send->block);
        }
        if (recv) {
            x->from = recv->peer;
            x->b = piece_of(recv->slot, recv->block);
        }
    }
    for (int leg = LEG_LOCAL; leg <= LEG_RECV; leg++)
        if (due[leg]) {
            push_acts(s, due[leg]->after, due[leg]->block);
            due[leg]->when += due[leg]->period;
            due[leg]->block++;
            due[leg]->left--;
        }
    return true;
}

bool schedule_next(struct schedule *s, struct step *step)
{
    while (s->first == s->last) {
        s->first = s->last = 0;
        if (!s->refill(s))
            return false;
    }
    *step = s->pending[s->first++];
    return true;
}
