/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that can never match: the test finds them by brute force, from random pairs of rules and all calls of a grid. */
#include "reading.h"

enum { KINDS = 4 * COLLECTIVES };   /* of calls, by collective and operation class */
enum { ENDS = 5, GRID = ENDS + 2 }; /* ranges end at inf or up to ENDS, so all larger values are alike */

struct conditions {
    unsigned collectives, ops, roots;
    int least[3], most[3]; /* bytes, ranks, ranks per node */
    int site;              /* the row of `globs`; 0: any site */
};

static const char *const globs[] = {"", "a*", "b*"}, *const sites[] = {"c", "a1", "b1"};

static struct conditions draw(void)
{
    enum { EVERY = (1 << COLLECTIVES) - 1 };
    struct conditions c = {EVERY, 15, 7, {0, 0, 0}, {GRID, GRID, GRID}, below(2) ? 0 : (int)below(3)};
    if (below(2))
        c.collectives = 1 + below(EVERY);
    if (below(2))
        c.ops = 1 + below(15);
    if (below(2))
        c.roots = 1 + below(7);
    for (int i = 0; i < 3; i++)
        if (below(2)) {
            c.least[i] = (i > 0) + (int)below(ENDS);
            c.most[i] = below(2) ? GRID : c.least[i] + (int)below((unsigned)(ENDS + 1 - c.least[i]));
        }
    return c;
}

/* Writes " KEY=WORD,WORD", or nothing if the set has all words. */
static int print_words(unsigned set, const char *key, const char *const *words, int count, char *text)
{
    int used = 0;
    if (set == (1u << count) - 1)
        return 0;
    for (int i = 0; i < count; i++)
        if (set >> i & 1)
            used += used ? sprintf(text + used, ",%s", words[i]) : sprintf(text, " %s=%s", key, words[i]);
    return used;
}

static int print(const struct conditions *c, char *text)
{
    static const char *const collectives[] = {"bcast", "reduce", "scan", "exscan", "allreduce"};
    static const char *const ops[] = {"none", "exact", "rounding", "user"}, *const roots[] = {"first", "last", "inside"};
    static const char *const ranges[] = {"bytes", "ranks", "ranks-per-node"};
    int used = print_words(c->collectives, "collective", collectives, COLLECTIVES, text);
    used += print_words(c->ops, "op", ops, 4, text + used);
    used += print_words(c->roots, "root", roots, 3, text + used);
    for (int i = 0; i < 3; i++)
        if (c->most[i] < GRID)
            used += sprintf(text + used, " %s=%d-%d", ranges[i], c->least[i], c->most[i]);
        else if (c->least[i] > 0)
            used += sprintf(text + used, " %s=%d-inf", ranges[i], c->least[i]);
    if (c->site)
        used += sprintf(text + used, " site=%s", globs[c->site]);
    return used + sprintf(text + used, " -> block=7\n");
}

static bool fits(const struct conditions *c, const struct facts *f, int site)
{
    const int64_t value[] = {f->bytes, f->ranks, f->machine->node_ranks};
    const int place = f->root == 0 ? 0 : f->root == f->ranks - 1 ? 1 : 2;
    bool all =
        c->collectives >> f->collective & 1 && c->ops >> f->op & 1 && c->roots >> place & 1 && (!c->site || c->site == site);
    for (int i = 0; i < 3; i++)
        all = all && c->least[i] <= value[i] && value[i] <= c->most[i];
    return all;
}

/* Each call of the grid finds the right one of two rules. The parser warns of exactly the rules that no call finds. */
START_TEST(random_pairs)
{
    int nevers = 0;
    for (int round = 0; round < 2000; round++) {
        char text[1024] = HEADER;
        const struct conditions c[] = {draw(), draw()};
        bool reached[2] = {false, false}, never[2] = {false, false};
        print(&c[0], text + strlen(text));
        print(&c[1], text + strlen(text));
        struct rules *r = parse(text);
        REQUIRE(r, "%s: %s", text, reports[0].why);
        for (int i = 0; i < report_count; i++)
            never[reports[i].line - 2] = true;
        for (int kind = 0; kind < 3 * KINDS; kind++)
            for (int size = 0; size < GRID * GRID * GRID; size++) {
                struct facts f =
                    call(kind / 4 % COLLECTIVES, kind % 4, size % GRID, size / GRID % GRID, 1 + size / GRID / GRID);
                if ((f.collective == COLL_BCAST) != (f.op == OP_NONE) || f.bytes == 0 || f.ranks < 2 ||
                    f.ranks < f.machine->node_ranks)
                    continue;
                f.root = kind < KINDS ? 0 : kind < 2 * KINDS ? f.ranks - 1 : 1;
                if (f.root > 0 && (!collective_rooted(f.collective) || (kind >= 2 * KINDS && f.ranks == 2)))
                    continue;
                for (int site = 0; site < 3; site++) {
                    uint64_t asked;
                    int first = fits(&c[0], &f, site) ? 0 : fits(&c[1], &f, site) ? 1 : -1;
                    REQUIRE(found(r, &f, sites[site], &asked) == (first < 0 ? 0 : first + 2), "%s", text);
                    if (first >= 0)
                        reached[first] = true;
                }
            }
        for (int i = 0; i < 2; i++) {
            REQUIRE(never[i] == !reached[i], "%s: rule %d is%s reached", text, i, reached[i] ? "" : " not");
            nevers += never[i];
        }
        free(r);
    }
    ck_assert_int_gt(nevers, 200);
}

/* A rule may name an engine for each collective that it serves, even if the engine needs nodes or places. */
START_TEST(every_engine_can_be_named)
{
    for (int i = 0; engines[i]; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            if (engines[i]->serves[c].text.rounds) {
                char text[256];
                sprintf(text, HEADER "collective=%s -> engine=%s\n", collective_name((enum collective)c), engines[i]->name);
                free(parse_good(text));
            }
}

SUITE("rules_reach", 30)
