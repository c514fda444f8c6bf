/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of schedules have the right form, and the tables in comments and in doc/ are those of the engines. */
#include "place_text.h"
#include "simplex.h"
#include "suite.h"
#include "schedule_table.h"

static const struct {
    const char *file; /* in doc/, or below src */
    const char *engine;
    struct shape shape;
    const char *places; /* NULL: none */
} quoted[] = {
    {"engines/binomial.c", "binomial", {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 1}, NULL},
    {"engines/bintree.c", "bintree", {.collective = COLL_BCAST, .ranks = 7, .blocks = 3}, NULL},
    {"engines/butterfly.c",
     "butterfly",
     {.collective = COLL_ALLREDUCE, .ordered = true, .ranks = 3, .blocks = 6, .wide = 2},
     NULL},
    {"engines/chain.c", "chain", {.collective = COLL_BCAST, .ranks = 4, .blocks = 3}, NULL},
    {"engines/circulant.c", "circulant", {.collective = COLL_BCAST, .ranks = 7, .blocks = 4}, NULL},
    {"engines/circulant_allreduce.c", "circulant", {.collective = COLL_ALLREDUCE, .ranks = 7, .blocks = 7, .wide = 3}, NULL},
    {"engines/doubling.c", "doubling", {.collective = COLL_EXSCAN, .ordered = true, .ranks = 8, .blocks = 1}, NULL},
    {"engines/doubly_pipelined.c",
     "doubly-pipelined",
     {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 4},
     NULL},
    {"engines/fractional.c", "fractional", {.collective = COLL_BCAST, .ranks = 10, .blocks = 3, .group = 2}, NULL},
    {"engines/latency_tree.c", "latency-tree", {.collective = COLL_BCAST, .ranks = 7, .blocks = 2}, "3,2,2"},
    {"engines/places.c", "places", {.collective = COLL_BCAST, .ranks = 7, .blocks = 4}, "3,2,2"},
    {"engines/places_line.c", "places-line", {.collective = COLL_BCAST, .ranks = 7, .blocks = 4}, "3-2-2"},
    {"trees/places_scan.c", "places", {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 2}, "3,2,2"},
    {"trees/places_scan.c", "places-line", {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 2}, "3-2-2"},
    {"engines/places_tree.c", "places-tree", {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 2}, "2,3,2"},
    {"engines/ring.c", "ring", {.collective = COLL_REDUCE, .ordered = true, .ranks = 5, .root = 2, .blocks = 3}, NULL},
    {"engines/smp_phases.c",
     "smp-phases",
     {.collective = COLL_SCAN, .ordered = true, .ranks = 6, .blocks = 1, .node_ranks = 2},
     NULL},
    {"engines/two_tree.c", "two-tree", {.collective = COLL_BCAST, .ranks = 7, .blocks = 4}, NULL},
    {"trees/two_tree_scan.c", "two-tree", {.collective = COLL_EXSCAN, .ordered = true, .ranks = 7, .blocks = 2}, NULL},
    {"reference/adaptive_bandwidth.c", "adaptive-bandwidth", {.collective = COLL_BCAST, .ranks = 7, .blocks = 2}, "3,2,2"},
    {"reference/adaptive_latency.c", "adaptive-latency", {.collective = COLL_BCAST, .ranks = 7, .blocks = 2}, "3,2,2"},
    {"trees/binomial_tree.c", "binomial", {.collective = COLL_BCAST, .ranks = 6, .blocks = 2}, NULL},
    {"reference/fractional_places.c",
     "fractional-places",
     {.collective = COLL_BCAST, .ranks = 9, .blocks = 3, .group = 2},
     "5,2,2"},
    {"reference/mesh.c", "mesh", {.collective = COLL_BCAST, .ranks = 7, .blocks = 1}, NULL},
    {"reference/scatter_allgather.c", "scatter-allgather", {.collective = COLL_BCAST, .ranks = 4, .blocks = 4}, NULL},
    {"reference/simplex.c", "two-tree-simplex", {.collective = COLL_BCAST, .ranks = 8, .blocks = 3}, NULL},
    {"reference/smp.c", "smp", {.collective = COLL_SCAN, .ordered = true, .ranks = 6, .blocks = 2, .node_ranks = 2}, NULL},
    {"reference/smp_nested.c",
     "smp-nested",
     {.collective = COLL_SCAN, .ordered = true, .ranks = 6, .blocks = 2, .node_ranks = 2},
     NULL},
    {"reference/two_tree_mirror.c", "two-tree-mirror", {.collective = COLL_BCAST, .ranks = 7, .blocks = 4}, NULL},
    {"doc/circulant", "circulant", {.collective = COLL_REDUCE, .ranks = 7, .blocks = 4}, NULL},
    {"doc/classics", "binomial", {.collective = COLL_REDUCE, .ordered = true, .ranks = 6, .blocks = 2}, NULL},
    {"doc/clusters",
     "smp-phases",
     {.collective = COLL_EXSCAN, .ordered = true, .ranks = 6, .blocks = 1, .node_ranks = 3},
     NULL},
    {"doc/places", "places-line", {.collective = COLL_REDUCE, .ordered = true, .ranks = 7, .blocks = 4}, "3-2-2"},
    {"doc/scans", "bintree", {.collective = COLL_SCAN, .ordered = true, .ranks = 7, .blocks = 3}, NULL},
    {"doc/simplex", "fractional-simplex", {.collective = COLL_BCAST, .ranks = 14, .blocks = 3, .group = 2}, NULL},
    {"doc/two-trees", "two-tree", {.collective = COLL_REDUCE, .ordered = true, .ranks = 7, .blocks = 4}, NULL},
};

/* Returns the table's rows of ranks `first` to `last`, or all rows if `first` is NOBODY. The caller frees the text. */
static char *table_text(const char *engine, const struct shape *shape, int first, int last)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    const struct engine *e = engine_find(engine);
    for (int i = 0; engines[i] && !e; i++) {
        const struct engine *variant = simplex_engine(engines[i]);
        e = variant && strcmp(variant->name, engine) == 0 ? variant : NULL;
    }
    ck_assert_ptr_nonnull(f);
    ck_assert_msg(e && engine_fits(e, shape), "%s does not fit", engine);
    schedule_table(f, e, shape, first == NOBODY ? 0 : first, first == NOBODY ? shape->ranks - 1 : last);
    fclose(f);
    return text;
}

static char *file_text(const char *name)
{
    enum { MOST = 1 << 18 };
    const char *srcdir = getenv("srcdir");
    char path[4096], *text = calloc(MOST, 1);
    const bool page = strncmp(name, "doc/", 4) == 0;
    snprintf(path, sizeof path, "%s/%s%s", srcdir ? srcdir : ".", page ? "" : "src/", name);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f && text, "cannot read %s", path);
    ck_assert_uint_lt(fread(text, 1, MOST, f), MOST);
    fclose(f);
    return text;
}

/* How many heads of tables a text has: lines that begin with `lead` and "step". */
static int tables_in(const char *text, const char *lead)
{
    char head[32];
    int count = 0;
    snprintf(head, sizeof head, "\n%sstep  ", lead);
    for (const char *found = text; (found = strstr(found, head)); found++)
        count++;
    return count;
}

/* The file has the table of the engine, with the lead of a comment or page in each line, and no table that is not listed. */
LOOPED_TEST(quoted_as_they_are, COUNT(quoted))
{
    const char *name = quoted[_i].file, *lead = strncmp(name, "doc/", 4) == 0 ? "    " : " *     ";
    struct shape shape = quoted[_i].shape;
    const char *why;
    struct places *places = quoted[_i].places ? places_read(quoted[_i].places, shape.ranks, &why) : NULL;
    shape.places = places;
    char *table = table_text(quoted[_i].engine, &shape, NOBODY, NOBODY), *led = NULL, *rest = table;
    char *text = file_text(name);
    size_t size;
    int listed = 0;
    FILE *f = open_memstream(&led, &size);
    for (char *line; (line = strsep(&rest, "\n")) && (*line || rest);)
        fprintf(f, "%s%s\n", lead, line);
    fclose(f);
    ck_assert_msg(strstr(text, led), "%s should have this table:\n%s", name, led);
    for (size_t i = 0; i < COUNT(quoted); i++)
        listed += strcmp(quoted[i].file, name) == 0;
    ck_assert_msg(listed == tables_in(text, lead), "%s has %d tables, and %d are listed", name, tables_in(text, lead),
                  listed);
    free(table);
    free(text);
    free(led);
    places_free(places);
}

START_TEST(rows_of_some_ranks)
{
    const struct shape shape = {.collective = COLL_SCAN, .ordered = true, .ranks = 9, .blocks = 11};
    char *text = table_text("chain", &shape, 0, 1);
    ck_assert_str_eq(text, "step     0     1     2     3     4     5     6     7     8     9     10    11\n"
                           "rank 0  -/0   -/1   -/2   -/3   -/4   -/5   -/6   -/7   -/8   -/9   -/10\n"
                           "rank 1  0/-   1/0   2/1   3/2   4/3   5/4   6/5   7/6   8/7   9/8   10/9  -/10\n");
    free(text);
}

/* Rank numbers of different width, and a rank without exchanges. */
START_TEST(labels)
{
    const struct shape alone = {.collective = COLL_SCAN, .ordered = true, .ranks = 1, .blocks = 2};
    const struct shape eleven = {.collective = COLL_BCAST, .ranks = 11, .root = 9, .blocks = 1};
    char *text = table_text("chain", &alone, NOBODY, NOBODY);
    ck_assert_str_eq(text, "step\nrank 0\n");
    free(text);
    text = table_text("chain", &eleven, 9, 10);
    ck_assert_str_eq(text, "step      0    1\nrank  9  -/0\nrank 10  0/-  -/0\n");
    free(text);
}

SUITE("tables", 60)
