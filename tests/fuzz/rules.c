/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Texts: a file of rules, a file of places, a tree of places, a file that learned rules go into. A text with an error is
 * refused. Rules are the same after they were written and read again. Rules match calls as they should.
 */
#include "fuzz.h"
#include "learned.h"
#include "place_text.h"
#include "placefile.h"
#include "rules.h"

static int errors;

static void count(void *to, int line, bool fatal, const char *why)
{
    (void)to;
    errors += fatal;
    MUST(line >= 1 && why[0], "an error without a line, or without a reason");
}

/* The file of these rules; the caller frees it. */
static char *written(const struct rules *r)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    MUST(f, "no memory");
    fprintf(f, "pleach-rules %d\n", RULES_VERSION);
    for (int i = 0; i < r->count; i++)
        rule_put(f, &r->rule[i]);
    fclose(f);
    return text;
}

static void write_and_read(const struct rules *r)
{
    char *text = written(r);
    struct rules *same = rules_parse(text, NULL, NULL);
    MUST(same && same->count == r->count, "not read again: %s", text);
    char *again = written(same);
    MUST(strcmp(text, again) == 0, "written as %s, then as %s", text, again);
    free(again);
    free(same);
    free(text);
}

static void try_rules(const char *text)
{
    static const struct machine machine = {.nodes = 2, .node_ranks = 3};
    errors = 0;
    struct rules *r = rules_parse(text, count, NULL);
    MUST(!r == (errors > 0), "%d errors, and %s", errors, r ? "rules" : "none");
    for (int i = 0; r && i < 60; i++) {
        const int ranks = 1 + i % 7;
        const struct facts f = {.collective = (enum collective)(i % COLLECTIVES),
                                .op = (enum op_class)(i % 4),
                                .ranks = ranks,
                                .root = i % ranks,
                                .bytes = (int64_t)1 << i,
                                .units = 1,
                                .machine = &machine};
        const uint64_t sited = rules_sited(r, &f), here = rules_at(r, sited, "solve < main");
        const struct rule *rule = rules_find(r, &f, here);
        MUST((here & ~sited) == 0, "a rule matches that is not for this call");
        MUST(!rule || rule->sited < 0 || here >> rule->sited & 1, "a rule of another site");
    }
    if (r)
        write_and_read(r);
    free(r);
}

static void try_placefile(const char *text)
{
    char why[256] = "";
    int line = 0, path[PLACE_NAMES];
    struct placefile *f = placefile_parse(text, &line, why, sizeof why);
    MUST(f || (line > 0 && why[0]), "no places, and no reason");
    for (int rank = 0; f && rank < 5; rank++) {
        placefile_path(f, rank % 2 ? "node1.example" : "node2", rank, path);
        for (int i = 0; i < PLACE_NAMES; i++)
            MUST(path[i] == PLACE_OWN || (path[i] >= 0 && path[i] < placefile_places(f)), "no such place");
    }
    placefile_free(f);
}

static void try_tree(const char *text)
{
    const char *why = NULL;
    struct places *t = places_read(text, 1 << 12, &why);
    MUST(t || why, "no tree, and no reason");
    places_free(t);
}

static void try_learned(const char *text)
{
    char why[512] = "";
    struct rule rule = rule_for(COLL_BCAST, OP_NONE, 4, 2, engines[0], 0);
    rule.evidence.origin = ORIGIN_LEARNED;
    char *more = learned_put(text, &rule, why, sizeof why), *again = more ? learned_put(more, &rule, why, sizeof why) : NULL;
    MUST(more || why[0], "no text, and no reason");
    MUST(!more || (again && strcmp(more, again) == 0), "put twice: %s", more);
    free(more);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const tries[])(const char *) = {try_rules, try_placefile, try_tree, try_learned};
    struct bytes bytes = {data, size};
    const unsigned which = take_byte(&bytes) % 4; /* '0' selects the first, as in the names of the corpus */
    char *text = take_text(&bytes);
    tries[which](text);
    free(text);
    return 0;
}
