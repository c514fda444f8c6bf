/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach engines: lists which engine serves which collective, its rounds, and its needs. */
#include "cli.h"

enum { ENOUGH_RANKS = 17 };

static bool all;

/* Does the engine fit if two consecutive ranks share each place, and the places are in a line? */
static bool fits_places(const struct engine *e, struct shape shape)
{
    int pair[ENOUGH_RANKS];
    for (int r = 0; r < shape.ranks; r++)
        pair[r] = r / 2;
    struct places *t = places_of(pair, shape.ranks, 1, true);
    shape.places = t;
    bool fits = t && engine_fits(e, &shape);
    places_free(t);
    return fits;
}

/*
 * Returns words for the roots at which an engine combines operands in the order of the ranks; NULL if the collective has no
 * operation, if the engine does not serve it, or if the engine is a call of the MPI library. Bits 0, 1 and 2 of `kept` stand
 * for root 0, root p-1 and all others. Asks engine_fits() for 3 to ENOUGH_RANKS ranks.
 */
static const char *order_kept(const struct engine *e, enum collective c)
{
    static const char *const words[] = {"never",          "at root 0",       "at root p-1",   "at root 0 or p-1",
                                        "at inner roots", "not at root p-1", "not at root 0", "always"};
    unsigned kept = 7;
    if (!collective_reduces(c) || engine_by_mpi(e) || !e->serves[c].text.rounds)
        return NULL;
    for (int p = 3; p <= ENOUGH_RANKS; p++)
        for (int root = 0; root < (collective_rooted(c) ? p : 1); root++) {
            const struct shape shape = {.collective = c,
                                        .ordered = true,
                                        .ranks = p,
                                        .root = root,
                                        .blocks = 1,
                                        .node_ranks = 1,
                                        .depth = SEGMENT_DEPTH,
                                        .lanes = 1,
                                        .ports = {.most = 1}};
            if (!engine_fits(e, &shape) && !fits_places(e, shape))
                kept &= ~(root == 0 ? 1u : root == p - 1 ? 2u : 4u);
        }
    if (!collective_rooted(c))
        kept = kept & 1 ? 7 : 0;
    return words[kept];
}

struct engine_line {
    const char *engine, *collective, *rounds, *order, *needs;
};

#define AT(field) offsetof(struct engine_line, field)
static const struct table_column services[] = {
    {"engine", "ENGINE", VALUE_ENGINE, AT(engine), NULL}, {"collective", "COLLECTIVE", VALUE_TEXT, AT(collective), NULL},
    {"rounds", "ROUNDS", VALUE_TEXT, AT(rounds), NULL},   {"keeps_order", "KEEPS ORDER", VALUE_TEXT, AT(order), NULL},
    {"needs", "NEEDS", VALUE_TEXT, AT(needs), NULL},      {0}};
static const struct table_column summaries[] = {{"engine", "ENGINE", VALUE_ENGINE, offsetof(struct engine, name), NULL},
                                                {"summary", "SUMMARY", VALUE_TEXT, offsetof(struct engine, summary), NULL},
                                                {0}};

/* Is the engine left out unless --all is given: is it native's own, or one with which papers compare theirs? */
static bool hidden(const struct engine *e, enum collective c)
{
    return !all && (e->algorithm || e->serves[c].model.reference);
}

static bool hidden_everywhere(const struct engine *e)
{
    bool any = false;
    for (int c = 0; c < COLLECTIVES; c++)
        any |= e->serves[c].text.rounds && !hidden(e, (enum collective)c);
    return !any;
}

static void put_reference(void)
{
    printf(
        "\nThe model leaves out algorithms with which papers compare theirs. These serve only if a setting or a rule names "
        "them, or in trials of short calls for PLEACH_LEARN:\n");
    for (int i = 0; engines[i]; i++) {
        const char *separator = ": ";
        for (int c = 0; c < COLLECTIVES; c++)
            if (engines[i]->serves[c].model.reference && !engines[i]->algorithm) {
                printf("%s%s%s", *separator == ':' ? engines[i]->name : "", separator, collective_name((enum collective)c));
                separator = ", ";
            }
        if (*separator == ',')
            putchar('\n');
    }
}

static void put_notes(void)
{
    printf("\nRounds: a bound for p ranks, n blocks, q = ceil(log2 p), h = floor(log2 p), g = ceil(sqrt p). P nodes have k\n"
           "ranks each, or fewer on the last. e(c) = ceil(log2(4(c-1)/3)), e(1) = 0. A round of native moves the whole\n"
           "message of m bytes; where an amount such as 2m is named, all rounds together move that. A fractional tree\n"
           "has groups of r ranks and depth d. Trees over groups take s rounds until the first blocks are everywhere.\n"
           "In trees where a rank has at most c children, all ranks have the first block after t rounds. In\n"
           "node-prefixes, w <= p ranks fold a block each at the same time.\n"
           "Keeps order: the engine combines operands in the order of the ranks. Operations of the user need this\n"
           "order. In native calls the MPI library keeps the order.\n"
           "native:NAME is an algorithm of the MPI library, which must be able to switch to it. The model leaves it\n"
           "out; it serves where trials have found it the fastest, or where a setting or a rule names it.\n");
    put_reference();
}

static void put_services(struct document *out)
{
    struct table t;
    table_open(&t, out, "services", services);
    for (int i = 0; engines[i]; i++)
        for (int c = 0; c < COLLECTIVES; c++) {
            const struct engine *e = engines[i];
            const struct service *s = &e->serves[c];
            const char *name = collective_name((enum collective)c);
            if (!s->text.rounds || hidden(e, (enum collective)c))
                continue;
            table_row(&t, &(struct engine_line){e->name, name, s->text.rounds, order_kept(e, (enum collective)c),
                                                need_text(s->needs)});
            if (s->text.interior)
                table_row(&t, &(struct engine_line){e->name, name, s->text.interior, NULL,
                                                    "this bound: in order, at an interior root"});
        }
    cli_table_end(&t);
}

static void put_summaries(struct document *out)
{
    struct table t;
    table_open(&t, out, "engines", summaries);
    for (int i = 0; engines[i]; i++)
        if (!hidden_everywhere(engines[i]))
            table_row(&t, engines[i]);
    cli_table_end(&t);
}

static int list_engines(char **operand)
{
    struct document out;
    (void)operand;
    cli_document(&out);
    put_services(&out);
    if (cli_format != TABLE_JSON)
        putchar('\n');
    put_summaries(&out);
    document_end(&out);
    if (cli_format == TABLE_TEXT)
        put_notes();
    return 0;
}

static const struct command_option options[] = {
    {"all", NULL, "also those that the model leaves out: algorithms of the MPI library, and of comparisons in papers",
     OPTION_FLAG, 0, 0, &all},
    CLI_FORMAT(""),
    {0},
};

const struct command command_engines = {
    .name = "engines",
    .usage = "[OPTION...]",
    .summary = "list the engines: collectives, rounds, needs",
    .details =
        "Lists the engines: collectives, bounds on the rounds, roots at which they keep the order of operands, needs.\n",
    .options = options,
    .work = list_engines,
};
