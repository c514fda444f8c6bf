/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that can never match: the test finds them by brute force, from random pairs of rules and all calls of a grid. */
#include "reading.h"

enum { ENDS = 5, GRID = ENDS + 2 }; /* ranges end at inf or up to ENDS, so all larger values are alike */

static const char *const globs[] = {"", "a*", "b*"}, *const sites[] = {"c", "a1", "b1"}; /* a glob holds at its own site */

static unsigned draw_set(unsigned all)
{
    return below(2) ? all : 1 + below(all);
}

static struct span draw_span(int least)
{
    const int from = least + (int)below(ENDS);
    return below(2)   ? rule_blank.bytes
           : below(2) ? (struct span){from, INT64_MAX}
                      : (struct span){from, from + (int)below((unsigned)(ENDS + 1 - from))};
}

static struct rule draw(void)
{
    struct rule r = rule_blank;
    r.collectives = draw_set(r.collectives);
    r.ops = draw_set(r.ops);
    r.roots = draw_set(r.roots);
    r.bytes = draw_span(0);
    r.ranks = draw_span(1);
    r.node_ranks = draw_span(1);
    strcpy(r.site, globs[below(2) ? 0 : below(3)]);
    r.block = 7;
    return r;
}

static bool inside(int64_t value, struct span span)
{
    return span.least <= value && value <= span.most;
}

static bool fits(const struct rule *r, const struct facts *f, int site)
{
    const int place = f->root == 0 ? 0 : f->root == f->ranks - 1 ? 1 : 2;
    return r->collectives >> f->collective & 1 && r->ops >> f->op & 1 && r->roots >> place & 1 &&
           inside(f->bytes, r->bytes) && inside(f->ranks, r->ranks) && inside(f->machine->node_ranks, r->node_ranks) &&
           (!r->site[0] || strcmp(r->site, globs[site]) == 0);
}

/* Call number i of the grid; false if there is no such call. */
static bool call_of(int i, struct facts *f)
{
    const int kind = i / (GRID * GRID * GRID), roots = kind / 4 / COLLECTIVES;
    *f = call(kind / 4 % COLLECTIVES, kind % 4, i % GRID, i / GRID % GRID, 1 + i / GRID / GRID % GRID);
    f->root = roots == 0 ? 0 : roots == 1 ? f->ranks - 1 : 1;
    return (f->collective == COLL_BCAST) == (f->op == OP_NONE) && f->bytes > 0 && f->ranks >= 2 &&
           f->ranks >= f->machine->node_ranks &&
           (roots == 0 || (collective_rooted(f->collective) && (roots == 1 || f->ranks > 2)));
}

/* Each call of the grid finds the right one of two rules. No call finds a rule of which the parser warns. */
START_TEST(random_pairs)
{
    int nevers = 0;
    for (int round = 0; round < 2000; round++) {
        char text[1024] = HEADER;
        const struct rule c[] = {draw(), draw()};
        bool reached[2] = {false, false};
        FILE *out = fmemopen(text + strlen(text), sizeof text - strlen(text), "w");
        rule_put(out, &c[0]);
        rule_put(out, &c[1]);
        fclose(out);
        struct rules *r = parse(text);
        REQUIRE(r, "%s: %s", text, reports[0].why);
        struct facts f;
        for (int i = 0; i < 3 * 4 * COLLECTIVES * GRID * GRID * GRID; i++)
            for (int site = 0; call_of(i, &f) && site < 3; site++) {
                uint64_t asked;
                const int first = fits(&c[0], &f, site) ? 0 : fits(&c[1], &f, site) ? 1 : -1;
                REQUIRE(found(r, &f, sites[site], &asked) == (first < 0 ? 0 : first + 2), "%s", text);
                if (first >= 0)
                    reached[first] = true;
            }
        for (int i = 0; i < report_count; i++)
            REQUIRE(!reached[reports[i].line - 2], "%s: rule %d is reached", text, reports[i].line - 2);
        nevers += report_count;
        free(r);
    }
    ck_assert_int_gt(nevers, 200);
}

/* A rule may name an engine for each collective that it serves, even if the engine needs nodes or places. */
START_TEST(every_engine_can_be_named)
{
    for (int i = 0; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            if (engines[i]->serves[c].text.rounds) {
                char text[256];
                sprintf(text, HEADER "collective=%s -> engine=%s\n", collective_name(c), engines[i]->name);
                free(parse_good(text));
            }
}

SUITE("rules_reach", 30)
