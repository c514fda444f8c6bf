/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach engines: lists which engine serves which collective, its rounds, and its needs. */
#include "cli.h"

#include "columns.h"

#include <string.h>

enum { ENOUGH_RANKS = 17 };

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
                                        .lanes = 1};
            if (!engine_fits(e, &shape) && !fits_places(e, shape))
                kept &= ~(root == 0 ? 1u : root == p - 1 ? 2u : 4u);
        }
    if (!collective_rooted(c))
        kept = kept & 1 ? 7 : 0;
    return words[kept];
}

static void put_row(FILE *f, const struct engine *e, enum collective c, const char *rounds, const char *order,
                    const char *needs)
{
    fprintf(f, "%s\t%s\t%s\t%s\t%s\n", e->name, collective_name(c), rounds, order ? order : "", needs ? needs : "");
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

static int list_engines(char **operand)
{
    struct columns services, summaries;
    FILE *f = cli_table(&services), *g = cli_table(&summaries);
    (void)operand;
    fputs("ENGINE\tCOLLECTIVE\tROUNDS\tKEEPS ORDER\tNEEDS\n", f);
    fputs("ENGINE\tSUMMARY\n", g);
    for (int i = 0; engines[i]; i++) {
        const struct engine *e = engines[i];
        for (int c = 0; c < COLLECTIVES; c++) {
            const struct service *s = &e->serves[c];
            if (s->text.rounds)
                put_row(f, e, c, s->text.rounds, order_kept(e, c), need_text(s->needs));
            if (s->text.rounds && s->text.interior)
                put_row(f, e, c, s->text.interior, NULL, "this bound: in order, at an interior root");
        }
        fprintf(g, "%s\t%s\n", e->name, e->summary);
    }
    cli_columns(&services, 0); /* lines are not cut, even on a terminal */
    putchar('\n');
    cli_columns(&summaries, 0);
    printf("\nRounds: a bound for p ranks, n blocks, q = ceil(log2 p), h = floor(log2 p), g = ceil(sqrt p). P nodes have k\n"
           "ranks each, or fewer on the last. e(c) = ceil(log2(4(c-1)/3)), e(1) = 0. A round of native moves the whole\n"
           "message of m bytes; where an amount such as 2m is named, all rounds together move that. A fractional tree\n"
           "has groups of r ranks and depth d. Trees over places take s rounds until the first blocks are everywhere.\n"
           "In trees where a rank has at most c children, all ranks have the first block after t rounds. In\n"
           "node-prefixes, w <= p ranks fold a block each at the same time.\n"
           "Keeps order: the engine combines operands in the order of the ranks. Operations of the user need this\n"
           "order. In native calls the MPI library keeps the order.\n"
           "native:NAME is an algorithm of the MPI library, which must be able to switch to it. The model leaves it\n"
           "out; it serves where trials have found it the fastest, or where a setting or a rule names it.\n");
    put_reference();
    return 0;
}

const struct command command_engines = {
    .name = "engines",
    .usage = "",
    .summary = "list all engines: collectives, rounds, needs",
    .details =
        "Lists all engines: collectives, bounds on the rounds, roots at which they keep the order of operands, needs.\n",
    .work = list_engines,
};
