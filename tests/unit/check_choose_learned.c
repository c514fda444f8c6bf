/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice and what is learned: which engines are worth a trial, and which rules count. */
#include "grid.h"

/* The names of the engines that are worth a trial. */
static const char *candidates(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    static char text[200];
    int row[CANDIDATES], count;
    double seconds[CANDIDATES];
    const struct policy p = policy_of(s, rule, f);
    count = choose_candidates(s, &p, f, NULL, row, seconds);
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%s", i ? " " : "", engines[row[i]]->name);
    return text;
}

START_TEST(what_is_worth_a_trial)
{
    static const struct machine no_hops = {.nodes = 16,
                                           .node_ranks = 1,
                                           IN_ORDER,
                                           .measured = true,
                                           .figures = {[LINK_NETWORK] = {500e-6, 110e-9, 0.05e-9, 0.5e-6, 0.1e-6, 0}}};
    static const struct machine memory = {.nodes = 1, .node_ranks = 8, IN_ORDER, .one_node = true, .cell = 8 * K};
    static const struct {
        const char *env[ENV];
        struct facts facts;
        const char *rows;
    } worth[] = {
        {{NULL}, {BCAST(8, 0, M)}, "native circulant chain"},
        {{NULL}, {BCAST(1000, 0, M)}, "native circulant two-tree"}, /* native is much slower, but stays */
        {{NULL}, {SCAN(OP_EXACT, 8, 16 * M)}, "native chain two-tree"},
        {{NULL}, {SCAN(OP_ORDERED, 1000, M)}, "native two-tree"}, /* shadow trials try one engine only */
        {{"PLEACH_ENGINE=^native"}, {BCAST(8, 0, M)}, "circulant chain"},
        {{NULL},
         {ON(switching, BCAST, NONE, 8, 0, M, M)},
         "native circulant chain native:binomial native:scatter-recursive-doubling-allgather "
         "native:scatter-ring-allgather native:tree native:pipelined-tree"},
        {{"PLEACH_ENGINE=^native:binomial,native:scatter-ring-allgather,native:tree,native:pipelined-tree"},
         {ON(switching, BCAST, NONE, 8, 0, M, M)},
         "native circulant chain native:scatter-recursive-doubling-allgather"},
        {{NULL}, {ON(switching, BCAST, NONE, 8, 0, K, K)}, ""},
        {{"PLEACH_LEARN=file"},
         {ON(switching, REDUCE, EXACT, 8, 0, K, K)},
         "native circulant chain mesh fractional native:binomial native:reduce-scatter-gather"}, /* below the threshold */
        {{"PLEACH_LEARN=file"}, {SCAN(OP_ORDERED, 1000, 32 * K)}, "native doubling doubly-pipelined bintree binomial"},
        {{"PLEACH_LEARN=file"}, {SCAN(OP_ORDERED, 1000, M)}, "native two-tree"},
        {{"PLEACH_LEARN=file"}, /* circulant's order of operands follows from the blocks, but a rule gives their size */
         {ON(switching, REDUCE, ROUNDS, 13, 0, 32 * K, 32 * K)},
         "native circulant chain fractional two-tree native:binomial native:reduce-scatter-gather"},
        {{"PLEACH_LEARN=file", "PLEACH_REPRODUCIBLE=no"}, /* no shadow trials */
         {ON(switching, REDUCE, ROUNDS, 13, 0, M, M)},
         "native two-tree chain native:binomial native:reduce-scatter-gather"},
        {{"PLEACH_LEARN=off"}, {BCAST(8, 0, 2 * K)}, ""},
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 2 * K)}, "native circulant chain mesh fractional"}, /* mesh is a reference */
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 64 * K - 1)}, "native circulant chain two-tree binomial"},
        {{"PLEACH_LEARN=file"}, {BCAST(8, 0, 64 * K)}, "native circulant chain"},
        {{"PLEACH_LEARN=file"}, /* engines are not alike if their predictions differ by 4 per cent */
         {ON(no_hops, REDUCE, ROUNDS, 16, 0, 16 * K, 16 * K)},
         "native fractional chain circulant bintree"},
        {{"PLEACH_LEARN=file"}, /* of engines with a segment, one alone has trials */
         {ON(memory, ALLREDUCE, EXACT, 8, 0, 16 * K, 2 * K)},
         "native node-ring"},
        {{"PLEACH_ENGINE=^circulant"}, {BCAST(8, 0, M)}, "native chain two-tree"},
        {{"PLEACH_ENGINE=^two-tree,bintree,fractional,circulant"}, {BCAST(1000, 0, 64 * K)}, "native"}, /* chains are slow */
        {{NULL}, {BCAST(8, 0, K)}, ""},
        {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, M)}, ""},
        {{"PLEACH_ENGINE=random:1"}, {BCAST(8, 0, M)}, ""},
        {{"PLEACH_ENGINE=native"}, {BCAST(8, 0, M)}, ""},
        {{NULL}, {ON(full, SCAN, EXACT, 8, 0, 16 * M, M)}, ""},
        {{"PLEACH_DISABLE=yes"}, {BCAST(8, 0, M)}, ""},
    };
    for (size_t i = 0; i < COUNT(worth); i++) {
        const struct settings s = read_settings(worth[i].env);
        const char *found = candidates(&s, NULL, &worth[i].facts);
        ck_assert_msg(strcmp(found, worth[i].rows) == 0, "row %zu: %s", i, found);
    }
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct rules *r = rules_parse("pleach-rules 1\n-> engine=chain\n", NULL, NULL);
    const struct facts f = {BCAST(8, 0, M)};
    ck_assert_str_eq(candidates(&s, rules_find(r, &f, 0), &f), "");
    free(r);
}

static void check_candidates(const struct settings *s, const struct facts *f)
{
    int row[CANDIDATES];
    double seconds[CANDIDATES];
    struct offer list[OFFERS_MOST];
    const struct policy p = policy_of(s, NULL, f);
    int count = choose_candidates(s, &p, f, NULL, row, seconds);
    const struct plan plan = choose(s, NULL, f);
    const struct facts middle = choose_class(f);
    const double scale = (double)f->bytes / (double)middle.bytes;
    bool among = false;
    choose_list(s, NULL, &middle, list);
    REQUIRE((count > 0) == (policy_quick(s, f) == REASON_NONE), "p=%d bytes=%" PRId64, f->ranks, f->bytes);
    for (int i = 0; i < count; i++) {
        among |= engines[row[i]] == plan.engine;
        REQUIRE(!list[row[i]].barred && seconds[i] == list[row[i]].seconds * scale && (i == 0) == (row[i] == 0), "row %d",
                row[i]);
    }
    REQUIRE(among || count == 0, "%s p=%d bytes=%" PRId64 ": not %s", collective_name(f->collective), f->ranks, f->bytes,
            plan.engine->name);
}

/* The model's choice is always worth a trial. */
START_TEST(the_models_own_choice_is_tried)
{
    struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", "PLEACH_REPRODUCIBLE=no"});
    for_all(&s, check_candidates);
    s = read_settings((const char *[ENV]){NULL});
    for_all(&s, check_candidates);
}

/* A call of 1 MiB on eight ranks whose MPI library can switch to other algorithms; one of these. */
#define SWITCHING(c, o) FACTS(c, o, REASON_NONE, 8, 0, M, M / 8, &switching)
#define DOUBLING "native:recursive-doubling"

/* A learned rule counts only if the model would decide, the learned engine may serve, and the bits stay the same. */
START_TEST(what_was_learned)
{
    static const struct {
        const char *env[ENV];
        struct facts facts;
        const char *learned, *engine;
        bool trial;
        enum reason reason;
    } learned[] = {
        {{NULL}, {BCAST(8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        {{NULL}, {BCAST(8, 0, M)}, "two-tree", "two-tree", true, REASON_TRIAL},
        {{NULL}, {BCAST(8, 0, M)}, "native", "native", false, REASON_LEARNED},
        {{NULL}, {BCAST(8, 0, M)}, "ring", "circulant", false, REASON_MODEL}, /* ring has no broadcast */
        {{"PLEACH_ENGINE=^two-tree"}, {BCAST(8, 0, M)}, "two-tree", "circulant", false, REASON_MODEL},
        {{"PLEACH_ENGINE=chain"}, {BCAST(8, 0, M)}, "two-tree", "chain", false, REASON_FORCED},
        {{NULL}, {BCAST(8, 0, K)}, "two-tree", "native", false, REASON_BELOW_THRESHOLD},
        {{NULL}, {REDUCE(OP_EXACT, 8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        {{NULL}, {REDUCE(OP_EXACT, 8, 0, M)}, "binomial", "circulant", false, REASON_MODEL}, /* binomial is a reference */
        {{NULL}, {REDUCE(OP_ORDERED, 8, 0, M)}, "two-tree", "chain", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 2, 0, M)}, "two-tree", "chain", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 2, 0, M), .symmetric = true}, "two-tree", "two-tree", false, REASON_LEARNED},
        {{NULL}, {EXSCAN(OP_ORDERED, 2, M)}, "native", "native", false, REASON_LEARNED}, /* it combines nothing */
        {{NULL}, {EXSCAN(OP_ORDERED, 3, M)}, "native", "chain", false, REASON_MODEL},
        {{NULL}, {ALLREDUCE(OP_ROUNDS, 8, M), .symmetric = true}, "native", "butterfly", false, REASON_MODEL},
        {{NULL}, {ALLREDUCE(OP_ORDERED, 8, M)}, "native", "butterfly", false, REASON_MODEL},
        {{NULL}, {REDUCE(OP_ROUNDS, 8, 0, M), .symmetric = true}, "native", "chain", false, REASON_MODEL},
        {{"PLEACH_REPRODUCIBLE=no"}, {REDUCE(OP_ORDERED, 8, 0, M)}, "two-tree", "two-tree", false, REASON_LEARNED},
        /* A file of learned rules may name a reference for a short call. */
        {{"PLEACH_LEARN=file"}, {REDUCE(OP_EXACT, 8, 0, 32 * K)}, "binomial", "binomial", false, REASON_LEARNED},
        {{"PLEACH_LEARN=file"}, {REDUCE(OP_EXACT, 8, 0, 64 * K)}, "binomial", "circulant", false, REASON_MODEL},
        /* An algorithm of the MPI library has unknown bits. The library must be able to switch to it. */
        {{NULL}, {SWITCHING(COLL_REDUCE, OP_EXACT)}, "native:binomial", "native:binomial", false, REASON_LEARNED},
        {{NULL}, {SWITCHING(COLL_REDUCE, OP_ROUNDS)}, "native:binomial", "chain", false, REASON_MODEL},
        {{NULL}, {SWITCHING(COLL_REDUCE, OP_ROUNDS)}, "native:binomial", "chain", true, REASON_MODEL},
        {{"PLEACH_REPRODUCIBLE=no"},
         {SWITCHING(COLL_REDUCE, OP_ROUNDS)},
         "native:binomial",
         "native:binomial",
         false,
         REASON_LEARNED},
        {{NULL}, {REDUCE(OP_EXACT, 8, 0, M)}, "native:binomial", "circulant", false, REASON_MODEL},
        {{NULL}, {SWITCHING(COLL_ALLREDUCE, OP_EXACT)}, DOUBLING, DOUBLING, false, REASON_LEARNED},
        {{NULL}, {SWITCHING(COLL_ALLREDUCE, OP_ROUNDS), .symmetric = true}, DOUBLING, "butterfly", false, REASON_MODEL},
        {{NULL}, {SWITCHING(COLL_ALLREDUCE, OP_ROUNDS), .symmetric = true}, DOUBLING, "butterfly", true, REASON_MODEL},
    };
    for (size_t i = 0; i < COUNT(learned); i++) {
        const struct settings s = read_settings(learned[i].env);
        const struct policy policy = policy_of(&s, NULL, &learned[i].facts);
        const struct question q = {
            .facts = learned[i].facts, .learned = engine_row(engine_find(learned[i].learned)), .trial = learned[i].trial};
        const struct plan plan = choose_answer(&s, &policy, &q, NULL);
        ck_assert_msg(strcmp(plan.engine->name, learned[i].engine) == 0, "row %zu: %s", i, plan.engine->name);
        ck_assert_msg(plan.reason == learned[i].reason, "row %zu: %s", i, reason_word(plan.reason));
    }
}

SUITE("choose_learned", 60)
