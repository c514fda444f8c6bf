/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction by events, for trees in which a rank has too many messages for lanes (any_tree.c, fractional.c).
 * An event is a step of the broadcast in which the rank may receive and send. Events have numbers from 0 on, in the order of
 * their steps. The reduction goes through them from the last to the first.
 */
#ifndef PLEACH_EVENTS_H
#define PLEACH_EVENTS_H

#include "schedule.h"

/* The use of cursor.state: how many events are over. */
enum { EVENT };

/* A message of an event: the other end, and the block. */
struct event_message {
    int peer; /* or NOBODY */
    int64_t block;
};

/* Finds the messages of event e, and returns its step in the broadcast. */
typedef int64_t event_finder(const struct schedule *s, int64_t e, struct event_message *in, struct event_message *out);

/* For the refill of a broadcast with so many events: pushes the next one that has a message. False at the end. */
static inline bool events_bcast(struct cursor *c, const struct schedule *s, int64_t events, event_finder *find)
{
    while (c->state[EVENT] < events) {
        struct event_message in, out;
        const int64_t when = find(s, c->state[EVENT]++, &in, &out);
        if (in.peer == NOBODY && out.peer == NOBODY)
            continue;
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE,
                                  .when = when,
                                  .to = out.peer,
                                  .from = in.peer,
                                  .a = {SLOT_OUT, out.block},
                                  .b = {SLOT_OUT, in.block}});
        return true;
    }
    return false;
}

/*
 * For the refill of a reduction: finds the next event that has a message. False at the end. The rank sends `up` and receives
 * `below`; `when` is the event's step in the broadcast. Block j of the reduction is block n-1-j of the broadcast.
 */
static inline bool events_reversed(struct cursor *c, const struct schedule *s, int64_t events, event_finder *find,
                                   int64_t *when, struct event_message *up, struct event_message *below)
{
    const int64_t last = s->shape.blocks - 1;
    while (c->state[EVENT] < events) {
        *when = find(s, events - 1 - c->state[EVENT]++, up, below);
        if (up->peer == NOBODY && below->peer == NOBODY)
            continue;
        up->block = last - up->block;
        below->block = last - below->block;
        return true;
    }
    return false;
}

#endif
