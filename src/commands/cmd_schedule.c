/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach schedule: prints what the ranks do, as a list of actions (tsv), a graph (dot, svg) or a table of steps. */
#include "cli.h"
#include "draw.h"
#include "schedule_table.h"

enum { FORMAT_TSV, FORMAT_DOT, FORMAT_SVG, FORMAT_TABLE };
enum { OP_ORDER, OP_ANY, OP_NOT_GIVEN };

static int64_t ranks, root, blocks = 8, wide = 1, only = NOBODY, group, node_ranks = 1;
static int format = FORMAT_TSV, op = OP_NOT_GIVEN;
static const char *places;
static bool simplex;

/* ---- tsv ----------------------------------------------------------------------------------------------------------- */

/* Prints three columns: a peer, and what is sent or received, or an operand, as slot and blocks; NULL: none. */
static void put_end(int peer, const char *slot, const char *blocks)
{
    if (peer == NOBODY)
        printf("\t-");
    else
        printf("\t%d", peer);
    printf("\t%s\t%s", slot ? slot : "-", slot ? blocks : "-");
}

static void put_piece(const struct shape *shape, bool acts, int peer, struct piece p)
{
    char slot[SLOT_TEXT] = "", blocks[PIECE_TEXT];
    const bool present = acts || peer != NOBODY;
    put_end(peer, present ? slot_name(p.slot, slot) : NULL, present ? piece_text(shape->blocks, p, blocks) : NULL);
}

/* A turn stands in the columns of a slot and its blocks. */
static void put_step(const struct shape *shape, const struct step *x)
{
    char turn[24];
    snprintf(turn, sizeof turn, "%d", x->turn);
    if (x->kind > STEP_FOLD_INTO) {
        put_end(NOBODY, x->kind == STEP_TELL && x->turn ? "turn" : NULL, turn);
        put_end(x->from, x->kind != STEP_TELL && x->turn ? "turn" : NULL, turn);
    } else {
        put_piece(shape, step_acts(x), x->to, x->a);
        put_piece(shape, step_acts(x), x->from, x->b);
    }
    putchar('\n');
}

static void put_rank(const struct engine *e, const struct shape *shape, int rank)
{
    static const char *const kinds[] = {
        [STEP_EXCHANGE] = "exchange",     [STEP_FOLD] = "fold",   [STEP_COPY] = "copy",
        [STEP_FOLD_INTO] = "fold-into:",  [STEP_AWAIT] = "await", [STEP_AWAIT_ALL] = "await-all",
        [STEP_AWAIT_FREE] = "await-free", [STEP_TELL] = "tell",   [STEP_LEAVE] = "leave",
    };
    struct walk s;
    struct step x;
    engine_walk(e, &s, shape, rank);
    while (walk_next(&s, &x) && !ferror(stdout)) {
        if (step_acts(&x))
            printf("%d\t-\t%s", rank, kinds[x.kind]);
        else
            printf("%d\t%lld\t%s", rank, (long long)x.when, kinds[x.kind]);
        if (x.kind == STEP_FOLD_INTO)
            printf("%s", slot_name(x.into, (char[SLOT_TEXT]){0}));
        put_step(shape, &x);
    }
}

static void put_tsv(const struct engine *e, const struct shape *shape, int first, int last)
{
    printf("rank\tstep\tkind\tto\ta_slot\ta_block\tfrom\tb_slot\tb_block\n");
    for (int rank = first; rank <= last && !ferror(stdout); rank++)
        put_rank(e, shape, rank);
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static struct shape checked_shape(const struct engine *e, enum collective c)
{
    const struct places *tree = cli_places(places, &ranks);
    const struct service *service = &e->serves[c];
    struct shape shape = {.collective = c,
                          .ranks = (int)ranks,
                          .root = (int)root,
                          .blocks = blocks,
                          .wide = service_wide(service, (int)ranks, wide),
                          .group = (int)group,
                          .node_ranks = (int)node_ranks,
                          .depth = SEGMENT_DEPTH,
                          .places = tree};
    cli_check_root(c, ranks, root);
    if (only >= ranks)
        cli_fail(STATUS_USAGE, "--rank %lld: the ranks are 0 to %lld", (long long)only, (long long)ranks - 1);
    if (!service->text.rounds)
        cli_fail(STATUS_USAGE, "%s does not serve %s; see 'pleach engines'", e->name, collective_name(c));
    if (service->segment.cells && format != FORMAT_TSV)
        cli_fail(STATUS_USAGE, "%s sends no messages, and has no graph or table of them; use --format tsv", e->name);
    if (service->composed)
        cli_fail(STATUS_USAGE, "%s has no schedule: a call is made of calls of other engines; see 'pleach choose'", e->name);
    if (!service->generate)
        cli_fail(STATUS_USAGE, "%s has no schedule: it is %s", e->name, e->summary);
    shape.ordered = collective_reduces(c) && op != OP_ANY;
    if (!engine_fits(e, &shape) && op == OP_NOT_GIVEN)
        shape.ordered = false;
    if (!engine_fits(e, &shape))
        cli_fail(STATUS_USAGE, "%s does not serve %s %s of %d ranks at root %d: it needs %s", e->name,
                 shape.ordered ? "an ordered" : "a", collective_name(c), shape.ranks, shape.root, need_text(service->needs));
    return shape;
}

static int print_schedule(char **operand)
{
    const struct engine *e = cli_simplex(cli_engine(operand[0]), simplex);
    const struct shape shape = checked_shape(e, cli_collective(operand[1]));
    int first = only == NOBODY ? 0 : (int)only, last = only == NOBODY ? shape.ranks - 1 : (int)only;
    if (format == FORMAT_TSV)
        put_tsv(e, &shape, first, last);
    else if (format == FORMAT_DOT)
        draw_graph(stdout, e, &shape, first, last);
    else if (format == FORMAT_SVG) {
        FILE *script = draw_script();
        draw_graph(script, e, &shape, first, last);
        draw_run(script);
    } else
        schedule_table(stdout, e, &shape, first, last);
    return 0;
}

static const struct command_option options[] = {
    {"ranks", "NUMBER", "number of ranks", OPTION_NUMBER, 1, MOST_RANKS, &ranks},
    {"root", "RANK", "rank of the root; default 0", OPTION_NUMBER, 0, MOST_RANKS - 1, &root},
    {"blocks", "NUMBER", "number of blocks; default 8", OPTION_NUMBER, 1, MOST_BLOCKS, &blocks},
    {"wide", "NUMBER", "most blocks in one message, for engines that send several at once; default 1", OPTION_NUMBER, 1,
     MOST_BLOCKS, &wide},
    {"rank", "RANK", "print this rank alone", OPTION_NUMBER, 0, MOST_RANKS - 1, &only},
    {"format", "tsv|dot|svg|table", "default tsv", OPTION_WORD, 0, 0, &format},
    {"op", "ordered|any", "combine operands in the order of the ranks, or in any order; default: ordered if possible",
     OPTION_WORD, 0, 0, &op},
    {"group", "NUMBER", "ranks in a group of a fractional tree; default: for the fewest rounds", OPTION_NUMBER, 1,
     MOST_RANKS, &group},
    {"ranks-per-node", "NUMBER", "consecutive ranks that share a node; default 1", OPTION_NUMBER, 1, MOST_RANKS,
     &node_ranks},
    {"places", "TREE", "which ranks are near each other: 4x8 (4 groups of 8), 50,40,30, or 12-12-12 (sites in a line)",
     OPTION_TEXT, 0, 0, &places},
    {"simplex", NULL, "the variant for half-duplex links, where no rank sends and receives in the same step", OPTION_FLAG, 0,
     0, &simplex},
    {0},
};

const struct command command_schedule = {
    .name = "schedule",
    .usage = "ENGINE COLLECTIVE --ranks NUMBER|--places TREE [OPTION...]",
    .summary = "print what each rank does, step by step",
    .details = "Prints what each rank does, step by step; FORMATS in pleach(1) explains the columns.\n"
               "  tsv    a line for each action of a rank, in the order of its actions\n"
               "  dot    a graph for Graphviz, with an edge from sender to receiver\n"
               "  svg    a picture of this graph, drawn by Graphviz\n"
               "  table  a row for each rank and a column for each step: the block received / the block sent\n",
    .options = options,
    .least = 2,
    .most = 2,
    .work = print_schedule,
};
