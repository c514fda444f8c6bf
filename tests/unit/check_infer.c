/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inference of places on synthetic machines, whose hosts are shuffled. Most tests take five seeds for each machine; those of
 * round trips take each machine without busy hosts and with 3 % busy hosts. Inference must find the machine's exact places,
 * unless a test says that they are hard to find. It must never split a place that nothing divides.
 */
#include "suite.h"
#include "synthetic.h"

/* ---- What was found -------------------------------------------------------------------------------------------------- */

static struct places *found_places(const struct survey *s)
{
    int *path = synthetic_zeros(s->hosts * (s->depth + 1), sizeof *path);
    for (int host = 0; host < s->hosts; host++)
        survey_path(s, host, path + (size_t)host * (size_t)s->depth);
    struct places *t = places_of(path, s->hosts, s->depth, s->sites);
    free(path);
    return t;
}

static bool same_places(const struct places *a, const struct places *b)
{
    const size_t p = (size_t)places_ranks(a);
    for (int i = 0; i < a->rows && i < b->rows; i++)
        if (a->place[i].first != b->place[i].first || a->place[i].end != b->place[i].end)
            return false;
    return a->rows == b->rows && !a->order == !b->order &&
           (!a->order || memcmp(a->order, b->order, p * sizeof *a->order) == 0);
}

/* Does the survey put hosts of one innermost place into different places? */
static bool wrongly_split(const struct synthetic *m, const struct survey *s)
{
    int *row = synthetic_zeros(m->hosts, sizeof *row);
    bool wrong = false;
    for (int host = 0; host < m->hosts; host++) {
        int place = m->levels > 0 ? m->path[(host + 1) * m->levels - 1] : 0;
        wrong |= row[place] > 0 && row[place] != s->row[host] + 1;
        row[place] = s->row[host] + 1;
    }
    free(row);
    return wrong;
}

/* Checks what infer.h says of every survey. */
static void check_survey(const struct survey *s)
{
    int depth = 0;
    ck_assert_int_eq(s->place[0].around, -1);
    ck_assert_int_eq(s->place[0].hosts, s->hosts);
    for (int i = 0; i < s->rows; i++) {
        const struct found *f = &s->place[i], *around = i > 0 ? &s->place[f->around] : NULL;
        ck_assert(i == 0 || (f->around >= 0 && f->around < i && f->hosts <= around->hosts));
        if (f->hosts == 0)
            continue;
        ck_assert_int_eq(f->level, i == 0 ? 0 : around->level + (around->parts > 1));
        depth = f->level > depth ? f->level : depth;
    }
    ck_assert_int_eq(s->depth, depth);
    for (int host = 0; host < s->hosts; host++) {
        ck_assert(s->row[host] >= 0 && s->row[host] < s->rows);
        for (int i = 1; i < s->rows && s->rows < 100; i++)
            ck_assert_int_ne(s->place[i].around, s->row[host]); /* a host's place has no parts */
    }
}

/* The rack of each host: its innermost place or, without `racks`, 0. The caller frees it. */
static int *racks_of(const struct synthetic *m, bool racks)
{
    int *rack = synthetic_zeros(m->hosts, sizeof *rack);
    for (int host = 0; host < m->hosts && racks; host++)
        rack[host] = m->path[(host + 1) * m->levels - 1];
    return rack;
}

/* NULL if the prober gives up. The caller knows the racks if `racks`. */
static struct survey *try_to_infer(struct synthetic *m, bool racks)
{
    const struct prober prober = synthetic_prober(m);
    int *rack = racks_of(m, racks);
    struct survey *s = infer_places(&prober, m->hosts, rack, m->seed);
    free(rack);
    return s;
}

static struct survey *infer(struct synthetic *m, bool racks)
{
    struct survey *s = try_to_infer(m, racks);
    ck_assert_ptr_nonnull(s);
    check_survey(s);
    return s;
}

/* Has the survey exactly the machine's places? It may lack places, but a wrong split fails the test. */
static bool is_exact(const struct synthetic *m, const struct survey *s, const char *what)
{
    struct places *wanted = places_of(m->path, m->hosts, m->levels, false), *found = found_places(s);
    bool same = same_places(wanted, found);
    REQUIRE(same || !wrongly_split(m, s), "%s, seed %d: a place was split", what, (int)m->seed);
    places_free(wanted);
    places_free(found);
    return same;
}

/* ---- Round trips ----------------------------------------------------------------------------------------------------- */

enum { SEEDS = 5 };

static const struct {
    struct blueprint blueprint;
    bool sites;
    bool hard; /* inference may miss the parts */
} machines[] = {
    {{"200", 0, {100}, {0}}, false, false},
    {{"50,40,30,17", 1, {8000, 100}, {0}}, true, false},
    {{"70,64,67", 1, {8000, 100}, {0}}, true, false},
    {{"9,14,11,8,17,5,12,10,7,13,16,6,15,9,4,18", 1, {300, 100}, {0}}, false, false},
    {{"300,2,1", 1, {8000, 100}, {0}}, true, false},
    {{"8x20", 1, {220, 100}, {0}}, false, true},
    {{"3x4", 1, {4200, 100}, {0}}, true, false},
    {{"3", 0, {100}, {0}}, false, false},
    {{"2,2", 1, {1000, 100}, {0}}, true, false},
};

LOOPED_TEST(round_trips_tell_places, 2 * COUNT(machines))
{
    const struct blueprint *b = &machines[_i / 2].blueprint;
    int exact = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct synthetic m = synthetic_new(b, _i % 2 ? 0.03 : 0, seed);
        struct survey *s = infer(&m, false);
        exact += is_exact(&m, s, b->text);
        for (int level = 0; level <= s->depth && s->depth == b->levels; level++) {
            double alpha = s->reach[level].alpha * 2e6 / b->rtt[level], flow = s->reach[level].flow * m.port;
            REQUIRE(alpha > 0.8 && alpha < 1.8, "%s: latency of level %d is %g times the machine's", b->text, level, alpha);
            REQUIRE(flow > 0.5 && flow < 1.8, "%s: seconds a byte on level %d are %g times the machine's", b->text, level,
                    flow);
        }
        ck_assert_int_eq(s->sites, machines[_i / 2].sites);
        free(s);
        synthetic_free(&m);
    }
    REQUIRE(exact == SEEDS || machines[_i / 2].hard, "%s: only %d exact", b->text, exact);
}

/*
 * By chance, the round trips of a small place may look as if the place had parts, and busy hosts look far away. The first
 * rows have many seeds, from 1 on. Each later row has one seed, which shows that a safeguard of the inference is needed.
 */
static const struct {
    struct blueprint blueprint;
    double busy;
    uint64_t first, last; /* seeds */
} kinds[] = {
    {{"8", 0, {100}, {0}}, 0, 1, 300},
    {{"40", 0, {100}, {0}}, 0.15, 1, 100},
    {{"24,30", 1, {1000, 100}, {0}}, 0.15, 1, 30},
    {{"280,99", 1, {8000, 100}, {0}}, 0.15, 1, 10},
    {{"5", 0, {100}, {0}}, 0, 35983936, 35983936},         /* ratios of round trips exceed SPLIT, 1.6 */
    {{"6x8", 1, {300, 100}, {0}}, 0.2, 2835002, 2835002},  /* all pings of a candidate are late */
    {{"300,5", 1, {8000, 100}, {0}}, 0.3, 554330, 554330}, /* the first host that is near no place is busy */
    {{"16x8", 1, {300, 100}, {0}}, 0.2, 15838, 15838},     /* busy candidates */
};

START_TEST(chance_does_not_split_places)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (uint64_t seed = kinds[i].first; seed <= kinds[i].last; seed++) {
            struct synthetic m = synthetic_new(&kinds[i].blueprint, kinds[i].busy, seed);
            struct survey *s = infer(&m, false);
            REQUIRE(is_exact(&m, s, kinds[i].blueprint.text) || seed <= 1000, "%s, seed %d", kinds[i].blueprint.text,
                    (int)seed);
            free(s);
            synthetic_free(&m);
        }
}

static void close_to(double found, double wanted, const char *what)
{
    REQUIRE(fabs(found - wanted) < 0.02 * wanted, "%s: %g, not %g", what, found, wanted);
}

/* Without noise, inference finds the figures of the machine. */
START_TEST(figures_are_those_of_the_machine)
{
    static const struct blueprint b = {"3x2x12", 2, {8000, 100, 100}, {12, 3}};
    struct synthetic m = synthetic_new(&b, 0, 1);
    m.noise = 0;
    struct survey *s = infer(&m, true);
    ck_assert(is_exact(&m, s, b.text) && s->sites && s->depth == 2);
    for (int level = 0; level <= 2; level++) {
        close_to(s->reach[level].alpha, b.rtt[level] * 1e-6 / 2, "alpha");
        close_to(s->reach[level].flow * m.port, level == 0 ? 1.5 : 1, "flow"); /* a site's uplink has 2/3 of a port */
    }
    close_to(s->reach[0].up * m.port, 1.5, "a site's uplink");
    close_to(s->reach[1].up * m.port, 0.25, "a rack's uplink");
    free(s);
    synthetic_free(&m);
}

/* infer.h promises less than a second for 10^4 hosts, by the clock of the synthetic machine. */
START_TEST(ten_thousand_hosts_take_less_than_a_second)
{
    static const struct blueprint b = {"4x25x100", 2, {1000, 300, 100}, {0}};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct synthetic m = synthetic_new(&b, 0, seed);
        struct survey *s = infer(&m, true);
        ck_assert(is_exact(&m, s, b.text));
        REQUIRE(m.pinging < 1, "pings take %g s", m.pinging);
        REQUIRE(m.pings < 600 * (int64_t)m.hosts, "%g pings a host", (double)m.pings / m.hosts);
        free(s);
        synthetic_free(&m);
    }
}

/* ---- Racks ------------------------------------------------------------------------------------------------------------ */

/* Round trips find sites, which are then divided by the racks that the caller knows. */
START_TEST(sites_have_racks)
{
    static const struct blueprint b = {"(3x6),9,(4x5)", 2, {8000, 100, 100}, {0, 5}};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct synthetic m = synthetic_new(&b, 0, seed);
        struct survey *s = infer(&m, true), *without = infer(&m, false);
        ck_assert(is_exact(&m, s, b.text) && s->sites && s->depth == 2);
        ck_assert(without->sites && without->rows == 4 && without->depth == 1);
        free(without);
        free(s);
        synthetic_free(&m);
    }
}

/* ---- Parts ------------------------------------------------------------------------------------------------------------ */

/* The survey of the hosts for which `stays` is true, in their order. */
static struct survey *part_of(const struct synthetic *m, const struct survey *s,
                              bool (*stays)(const struct synthetic *, int))
{
    int *host = synthetic_zeros(m->hosts, sizeof *host), hosts = 0;
    for (int i = 0; i < m->hosts; i++)
        if (stays(m, i))
            host[hosts++] = i;
    struct survey *part = survey_part(s, host, hosts);
    ck_assert_ptr_nonnull(part);
    free(host);
    return part;
}

static bool three_quarters(const struct synthetic *m, int host)
{
    (void)m;
    return host % 4 != 1;
}

/* All hosts but those in the second place of the outermost level. */
static bool not_second(const struct synthetic *m, int host)
{
    return m->path[host * m->levels] != 1;
}

/* All hosts but those in a few places of the innermost level. */
static bool not_every_fifth(const struct synthetic *m, int host)
{
    return m->path[(host + 1) * m->levels - 1] % 5 != 3;
}

static bool a_few(const struct synthetic *m, int host)
{
    (void)m;
    return host % 7 == 0;
}

static bool (*const subsets[])(const struct synthetic *, int) = {three_quarters, not_second, not_every_fifth, a_few};

/* A part of a survey has the places that the paths of its hosts give. The places keep their figures. */
START_TEST(a_part_keeps_places_and_figures)
{
    static const struct blueprint b = {"(3x6),9,(4x5),1", 2, {8000, 300, 100}, {0}};
    struct synthetic m = synthetic_new(&b, 0, 1);
    struct survey *all = infer(&m, true);
    ck_assert(is_exact(&m, all, b.text));
    for (size_t i = 0; i < COUNT(subsets); i++) {
        struct survey *s = part_of(&m, all, subsets[i]);
        int *path = synthetic_zeros(m.hosts * m.levels, sizeof *path), hosts = 0;
        for (int host = 0; host < m.hosts; host++)
            if (subsets[i](&m, host))
                memcpy(path + (size_t)hosts++ * (size_t)m.levels, m.path + (size_t)host * (size_t)m.levels,
                       (size_t)m.levels * sizeof *path);
        struct places *wanted = places_of(path, hosts, m.levels, false), *found = found_places(s);
        check_survey(s);
        ck_assert_int_eq(s->hosts, hosts);
        ck_assert(same_places(wanted, found));
        ck_assert_double_eq(s->reach[0].alpha, all->reach[0].alpha);
        ck_assert(s->reach[1].flow > 0 && s->reach[1].flow <= fmax(all->reach[1].flow, all->reach[2].flow));
        places_free(wanted);
        places_free(found);
        free(path);
        free(s);
    }
    free(all);
    synthetic_free(&m);
}

/* ---- All or none ----------------------------------------------------------------------------------------------------- */

/* The prober may give up in any batch. Then infer_places() returns NULL, and loses no memory. */
START_TEST(a_prober_may_give_up)
{
    static const struct blueprint b = {"3x4x6", 2, {8000, 100, 100}, {0, 6}};
    struct synthetic m = synthetic_new(&b, 0, 1);
    struct survey *s = infer(&m, false);
    int64_t batches = m.batches;
    for (int limit = 0; limit < batches; limit++) {
        m.limit = limit;
        m.batches = 0;
        m.draws = (uint64_t)m.hosts * 2 - 1;
        ck_assert_ptr_null(try_to_infer(&m, false));
    }
    free(s);
    synthetic_free(&m);
}

/* Machines of one to five hosts have no places. */
START_TEST(small_machines)
{
    for (int hosts = 1; hosts <= 5; hosts++) {
        char text[12];
        snprintf(text, sizeof text, "%d", hosts);
        const struct blueprint b = {text, 0, {100}, {0}};
        struct synthetic m = synthetic_new(&b, 0, 1);
        struct survey *s = infer(&m, false);
        ck_assert(s->rows == 1 && s->depth == 0 && !s->sites);
        ck_assert(hosts == 1 || s->reach[0].alpha > 0);
        free(s);
        synthetic_free(&m);
    }
}

/* Round trips divide the machine, but not the sites. */
START_TEST(sites_are_not_divided_by_round_trips)
{
    static const struct blueprint b = {"3x15x6", 2, {8000, 300, 100}, {0}};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct synthetic m = synthetic_new(&b, 0, seed);
        struct survey *s = infer(&m, false);
        ck_assert(!wrongly_split(&m, s) && s->sites && s->depth == 1 && s->rows == 4);
        REQUIRE(s->reach[1].alpha > 0.8 * 150e-6 && s->reach[1].alpha < 1.8 * 150e-6, "alpha %g", s->reach[1].alpha);
        free(s);
        synthetic_free(&m);
    }
}

SUITE("infer", 60)
