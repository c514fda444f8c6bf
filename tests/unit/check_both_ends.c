/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules that all schedules of all engines must keep. Both ends of each message must agree. The test compares the
 * schedules of all ranks, without the simulator.
 */
#include "engine.h"
#include "suite.h"

enum { MESSAGES = 2 * 20 * 20 * 21 };

struct message {
    int from, to;
    int64_t when, block, more;
};

static int by_number(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    const int64_t d[] = {x->when - y->when, x->from - y->from, x->to - y->to, x->block - y->block, x->more - y->more};
    for (size_t i = 0; i < COUNT(d); i++)
        if (d[i])
            return d[i] < 0 ? -1 : 1;
    return 0;
}

static void check_shape(const struct engine *e, const struct shape *s)
{
    static struct message sent[MESSAGES], received[MESSAGES];
    int sends = 0, receives = 0;
    int64_t blocks = 0; /* sent */
    char what[160];
    snprintf(what, sizeof what, "%s %s p=%d root=%d n=%d w=%d ordered=%d", e->name, collective_name(s->collective), s->ranks,
             s->root, (int)s->blocks, (int)s->wide, s->ordered);
    for (int rank = 0; rank < s->ranks; rank++) {
        struct walk schedule;
        struct step x;
        int64_t last = -1;
        memset(&schedule, 0x5a, sizeof schedule); /* engine_walk() clears it */
        engine_walk(e, &schedule, s, rank);
        while (walk_next(&schedule, &x)) {
            if (x.kind != STEP_EXCHANGE) {
                REQUIRE(x.to == NOBODY && x.from == NOBODY, "%s: rank %d: an action with a peer", what, rank);
                REQUIRE(x.a.block == x.b.block && x.a.more == x.b.more, "%s: rank %d: an action on two blocks", what, rank);
                continue;
            }
            REQUIRE(x.when > last, "%s: rank %d: step %d after %d", what, rank, (int)x.when, (int)last);
            REQUIRE(x.to != NOBODY || x.from != NOBODY, "%s: rank %d: empty step %d", what, rank, (int)x.when);
            REQUIRE(sends < MESSAGES && receives < MESSAGES, "%s: more messages than the test has room for", what);
            last = x.when;
            if (x.to != NOBODY)
                sent[sends++] = (struct message){rank, x.to, x.when, x.a.block, x.a.more};
            if (x.from != NOBODY)
                received[receives++] = (struct message){x.from, rank, x.when, x.b.block, x.b.more};
        }
    }
    REQUIRE(sends == receives, "%s: %d messages sent, %d received", what, sends, receives);
    qsort(sent, (size_t)sends, sizeof *sent, by_number);
    qsort(received, (size_t)receives, sizeof *received, by_number);
    for (int i = 0; i < sends; i++) {
        const struct message *m = &sent[i];
        const struct message *r = &received[i];
        REQUIRE(by_number(m, r) == 0, "%s: in step %d %d sends block %d to %d, but in step %d %d receives block %d from %d",
                what, (int)m->when, m->from, (int)m->block, m->to, (int)r->when, r->to, (int)r->block, r->from);
        REQUIRE(m->from != m->to && m->to >= 0 && m->to < s->ranks, "%s: %d sends to %d", what, m->from, m->to);
        REQUIRE(m->block >= 0 && m->block < s->blocks, "%s: %d sends block %d", what, m->from, (int)m->block);
        REQUIRE(m->more >= 0 && m->more < shape_wide(s) && m->more < s->blocks, "%s: %d sends %d blocks", what, m->from,
                (int)m->more + 1);
        blocks += m->more + 1;
        REQUIRE(i == 0 || by_number(m, m - 1) != 0, "%s: a message is sent twice", what);
    }
    REQUIRE(s->ranks == 1 || blocks >= (s->ranks - 1) * s->blocks, "%s: only %d blocks sent", what, (int)blocks);
}

START_TEST(both_ends_agree)
{
    const int blocks[] = {1, 2, 3, 5, 8, 21};
    for (int i = 0; engines[i]; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            for (int p = 1; p <= 20; p++)
                for (int root = 0; root < (c <= COLL_REDUCE ? p : 1); root++)
                    for (int n = 0; n < 6; n++)
                        for (int ordered = 0; ordered < (c == COLL_BCAST ? 1 : 2); ordered++) {
                            struct shape s = {.collective = c,
                                              .ordered = ordered,
                                              .ranks = p,
                                              .root = root,
                                              .blocks = blocks[n],
                                              .node_ranks = 1};
                            if (engine_fits(engines[i], &s))
                                check_shape(engines[i], &s);
                            for (s.wide = 3; engines[i]->serves[c].work && s.wide < 5; s.wide++)
                                if (engine_fits(engines[i], &s))
                                    check_shape(engines[i], &s);
                        }
}

SUITE("both ends", 60)
