/* SPDX-License-Identifier: BSD-2-Clause */
/* The axis of sizes: what is kept for a class of sizes changes no plan, and spares nearly all comparisons of engines. */
#include "axis.h"
#include "grid.h"
#include "hash.h"
#include "offer_list.h"
#include "policy.h"
#include "predict.h"

/* Engines are compared once for each outlook. */
struct outlook __real_outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                                 const struct shape *shape);
struct outlook __wrap_outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                                 const struct shape *shape);
static int comparisons;

struct outlook __wrap_outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                                 const struct shape *shape)
{
    comparisons++;
    return __real_outlook_of(s, rule, f, keep, shape);
}

/* A plan does not depend on the choices that were kept before, nor on their machines. */
START_TEST(kept_choices)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    static struct machine machines[12];
    uint64_t x = 1;
    int served = 0;
    for (size_t i = 0; i < COUNT(machines); i++) {
        machines[i] = i % 2 ? spread : pairs;
        machines[i].generation = 1;
        if (i % 3 == 0) {
            machines[i] = (struct machine){.generation = 1, .nodes = 1, .node_ranks = 8, .node_least = 8, .one_node = true};
            machines[i].busy = i % 4 == 0;
            machines[i].shared_tried = machines[i].gathered = machines[i].consecutive = true;
            machines[i].cell = 64 * K;
        }
        machines[i].measured = i > 6;
        machines[i].figures[LINK_NETWORK] = machines[i].figures[LINK_NODE] =
            (struct figures){1e-6 * (double)(i + 1), 1e-9, 1e-10, 1e-6, 1e-6, 0};
    }
    for (int i = 0; i < 4000; i++) {
        x = hash_add(x, (uint64_t)i);
        const enum collective c = (enum collective)(x % COLLECTIVES);
        const int64_t units = 1 + (int64_t)(x >> 20) % (INT64_C(1) << (x >> 8) % 22), size = c == COLL_BCAST ? 1 : 8;
        const enum op_class op = c == COLL_BCAST ? OP_NONE : (enum op_class)(OP_EXACT + (x >> 4) % 3);
        const struct facts f = {FACTS(c, op, REASON_NONE, 8, collective_rooted(c) ? (int)(x >> 16) % 8 : 0, units * size,
                                      units, &machines[(x >> 40) % COUNT(machines)])};
        const struct policy p = policy_of(&s, NULL, &f);
        const struct question q = {.facts = f, .learned = -1, .generation = 1};
        const struct plan plan = choose_answer(&s, &p, &q, NULL), kept = choose_answer(&s, &p, &q, &choices_of_process);
        REQUIRE(plan.engine == kept.engine && plan.blocks == kept.blocks && plan.wide == kept.wide &&
                    plan.reason == kept.reason,
                "%s op=%d bytes=%" PRId64 ": %s, kept %s", collective_name(c), op, f.bytes, plan.engine->name,
                kept.engine->name);
        served += plan.engine != engines[0];
    }
    ck_assert_int_gt(served, 1000);
}

enum { SIZES = 1000, KINDS = 24, CLASSES = 60 };

/* Each kind has an axis of its own: they differ in collective, class of operation, root, and bytes of an element. */
static struct facts kind_of(int kind, int64_t bytes, const struct machine *m)
{
    static const struct {
        enum collective collective;
        int root, size;
    } rows[KINDS / 3] = {{COLL_REDUCE, 0, 8},    {COLL_REDUCE, 3, 8}, {COLL_REDUCE, 7, 8}, {COLL_ALLREDUCE, 0, 8},
                         {COLL_ALLREDUCE, 0, 4}, {COLL_SCAN, 0, 8},   {COLL_EXSCAN, 0, 8}, {COLL_BCAST, 0, 1}};
    static const int roots[] = {0, 3, 7};
    const enum collective c = rows[kind / 3].collective;
    const enum op_class op = collective_reduces(c) ? (enum op_class)(OP_EXACT + kind % 3) : OP_NONE;
    const int root = collective_reduces(c) ? rows[kind / 3].root : roots[kind % 3], size = rows[kind / 3].size;
    return (struct facts){FACTS(c, op, REASON_NONE, 8, root, bytes / size * size, bytes / size, m)};
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
    return a->engine == b->engine && a->blocks == b->blocks && a->wide == b->wide && a->reason == b->reason;
}

/*
 * What an answer extends to has this answer: cut for each size, it has the plan that is chosen anew. Nearly all answers
 * extend to their whole band; those of bands that a threshold or a rule divides do not.
 */
START_TEST(answers_extend)
{
    struct rules *rules =
        rules_parse("pleach-rules 1\nbytes=1000-1005 -> engine=chain\nbytes=70000-inf -> block=10000\n", NULL, NULL);
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_BCAST_THRESHOLD=300", "PLEACH_LEARN=file", NULL});
    int extended = 0, alone = 0;
    uint64_t x = 1;
    for (int i = 0; i < 6000; i++) {
        x = hash_add(x, (uint64_t)i);
        const bool one = x & 1, ruled = x & 2, shared = one || x & 4;
        struct machine m = one ? full : shared ? pairs : spread;
        m.generation = 1;
        m.oversubscribed = 0;
        m.one_node = one;
        m.shared_tried = shared;
        m.cell = one ? 64 * K : shared ? 683 << (x >> 3 & 7) : 0;
        if (shared && !one) {
            m.nodes = 2; /* room for messages of 683 << 1 .. 8 bytes */
            m.node_ranks = m.node_least = 4;
        }
        const int64_t octave = INT64_C(8) << (x >> 16) % 16;
        const struct facts f = kind_of((int)(x >> 8 & 0xffff) % KINDS, octave + (int64_t)(x >> 24) % octave, &m);
        const struct rules *all = ruled ? rules : NULL;
        struct answer a = {.question = {.facts = f, .learned = x & 64 ? 0 : -1, .generation = 1}}; /* native is learned */
        a.question.rule = all ? rules_find(all, &f, 0) : NULL;
        a.policy = policy_of(&s, a.question.rule, &f);
        a.plan = choose_answer(&s, &a.policy, &a.question, NULL);
        answer_extend(&a, &s, all, &f);
        const int64_t unit = f.bytes / f.units, bits = band_bits(f.bytes), least = a.least, most = a.most;
        REQUIRE(least <= f.bytes && most >= f.bytes && least % unit == 0 && most % unit == 0 &&
                    (least & ~bits) == (most & ~bits),
                "%" PRId64 " extends to %" PRId64 " .. %" PRId64, f.bytes, least, most);
        const bool parted = (f.bytes | bits) >= 1000 && (f.bytes & ~bits) <= 1005 && ruled;
        REQUIRE(!(parted && bits > 5) || least == most, "a rule parts %" PRId64, f.bytes);
        extended += most > least;
        alone += most == least && bits >= 2 * unit;
        for (int k = 0; k < 3 && most > least; k++) {
            const int64_t bytes = least + (int64_t)(mix64(x + (uint64_t)k) % (uint64_t)(most - least + 1)) / unit * unit;
            struct question q = a.question;
            q.facts.bytes = bytes;
            q.facts.units = bytes / unit;
            q.rule = all ? rules_find(all, &q.facts, 0) : NULL;
            const struct policy p = policy_of(&s, q.rule, &q.facts);
            const struct plan plan = choose_answer(&s, &p, &q, NULL);
            answer_cut(&a, &s, &q.facts);
            REQUIRE(q.rule == a.question.rule && policy_same(&p, &a.policy) && same_plan(&plan, &a.plan),
                    "%s of %" PRId64 " bytes as one of %" PRId64, collective_name(f.collective), bytes, f.bytes);
            for (int row = 0; row < engine_count(); row++)
                REQUIRE(offers_may_serve(&p, &q.facts, row, true) == offers_may_serve(&a.policy, &q.facts, row, true),
                        "%s may serve %" PRId64 " bytes, but not %" PRId64, engines[row]->name, bytes, f.bytes);
        }
    }
    free(rules);
    ck_assert_int_gt(extended, 3000);
    ck_assert_int_gt(alone, 50);
}

/*
 * Makes calls of all kinds by turns, with sizes from 8 bytes to 64 KiB; another seed gives other sizes. Returns the number
 * of comparisons.
 */
static int compare_sizes(const struct settings *s, const struct machine *m, uint64_t seed, struct choices *kept)
{
    comparisons = 0;
    for (uint64_t i = 0; i < SIZES; i++) {
        const uint64_t x = mix64(seed * SIZES + i);
        const int64_t octave = INT64_C(8) << x % 13, bytes = octave + (int64_t)(x >> 8) % octave;
        for (int kind = 0; kind < KINDS; kind++) {
            const struct facts f = kind_of(kind, bytes, m);
            const struct policy p = policy_of(s, NULL, &f);
            choose_answer(s, &p, &(struct question){.facts = f, .learned = -1, .generation = 1}, kept);
        }
    }
    return comparisons;
}

/*
 * Engines are compared once for each class, however many sizes and kinds a communicator has; besides, where a threshold
 * divides a class, for each size on one side of it. If nothing is kept, the count must show that.
 */
LOOPED_TEST(sizes_share_comparisons, 2)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct machine m = _i ? full : spread;
    m.oversubscribed = 0;
    m.one_node = m.shared_tried = _i;
    m.cell = _i ? 64 * K : 0;
    m.generation = 1;
    const int first = compare_sizes(&s, &m, 1, &choices_of_process), more = compare_sizes(&s, &m, 2, &choices_of_process),
              unkept = compare_sizes(&s, &m, 1, NULL);
    REQUIRE(more <= SIZES * KINDS / 50, "%d comparisons for %d new sizes of kinds that are known", more, SIZES);
    REQUIRE(first > 0 && first <= CLASSES * KINDS + SIZES * KINDS / 50, "%d comparisons for %d sizes", first, SIZES);
    REQUIRE(unkept > SIZES * KINDS, "only %d comparisons if nothing is kept", unkept);
}

SUITE("axis", 60)
