/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach schedule: what the ranks do, as a list of actions (tsv), a graph (dot) or a space-time table. */
#include "cli.h"

#include <pleach/table.h>

enum { FORMAT_TSV, FORMAT_DOT, FORMAT_TABLE };
enum { OP_ORDER, OP_ANY, OP_NOT_GIVEN };

static int64_t ranks, root, blocks = 8, only = NOBODY;
static int format = FORMAT_TSV, op = OP_NOT_GIVEN;

static void start(struct schedule *s, const struct engine *e, const struct shape *shape, int rank)
{
    e->serves[shape->collective].start(s, shape, rank);
}

/* ---- tsv ----------------------------------------------------------------------------------------------------------- */

/* The three columns of a leg or operand. */
static void put_piece(bool present, int peer, struct piece p)
{
    if (peer == NOBODY)
        printf("\t-");
    else
        printf("\t%d", peer);
    if (present)
        printf("\t%s\t%lld", slot_name(p.slot), (long long)p.block);
    else
        printf("\t-\t-");
}

static void put_rank(const struct engine *e, const struct shape *shape, int rank)
{
    static const char *const kinds[] = {[STEP_EXCHANGE] = "exchange", [STEP_FOLD] = "fold", [STEP_COPY] = "copy"};
    struct schedule s;
    struct step x;
    start(&s, e, shape, rank);
    while (schedule_next(&s, &x) && !ferror(stdout)) {
        bool local = x.kind != STEP_EXCHANGE;
        if (local)
            printf("%d\t-\t%s", rank, kinds[x.kind]);
        else
            printf("%d\t%lld\t%s", rank, (long long)x.when, kinds[x.kind]);
        put_piece(local || x.to != NOBODY, x.to, x.a);
        put_piece(local || x.from != NOBODY, x.from, x.b);
        putchar('\n');
    }
}

static void put_tsv(const struct engine *e, const struct shape *shape, int first, int last)
{
    printf("rank\tstep\tkind\tto\ta_slot\ta_block\tfrom\tb_slot\tb_block\n");
    for (int rank = first; rank <= last && !ferror(stdout); rank++)
        put_rank(e, shape, rank);
}

/* ---- dot ----------------------------------------------------------------------------------------------------------- */

static void put_node(const struct shape *shape, int rank)
{
    printf("    %d%s;\n", rank, cli_rooted(shape->collective) && rank == shape->root ? " [shape=doublecircle]" : "");
}

/* A lane is an edge: all that goes from one rank to another in one tree. */
static void put_edge(const struct engine *e, const struct shape *shape, int from, int to, const struct lane *lane)
{
    bool second = e->trees == 2 && lane->block >= shape->blocks - shape->blocks / 2;
    const char *look = e->trees < 2 ? "" : second ? ", color=firebrick, constraint=false" : ", color=steelblue";
    printf("    %d -> %d [label=\"step %lld\\n%lld block%s\"%s];\n", from, to, (long long)lane->when, (long long)lane->left,
           lane->left == 1 ? "" : "s", look);
}

static void put_dot(const struct engine *e, const struct shape *shape, int first, int last)
{
    const char *collective = collective_name(shape->collective);
    printf("digraph \"%s %s\" {\n"
           "    label=\"%s %s: %d ranks, %lld blocks; an edge tells the step of its first block\";\n"
           "    rankdir=%s;\n    node [shape=circle];\n",
           e->name, collective, e->name, collective, shape->ranks, (long long)shape->blocks,
           shape->collective == COLL_REDUCE ? "BT" : "TB");
    for (int rank = first; rank <= last && !ferror(stdout); rank++)
        put_node(shape, rank);
    for (int rank = first; rank <= last && !ferror(stdout); rank++) {
        struct schedule s;
        start(&s, e, shape, rank);
        for (int i = 0; i < s.lanes; i++) {
            const struct lane *lane = &s.lane[i];
            if (lane->leg != LEG_LOCAL && only != NOBODY)
                put_node(shape, lane->peer);
            if (lane->leg == LEG_SEND)
                put_edge(e, shape, rank, lane->peer, lane);
            else if (lane->leg == LEG_RECV && only != NOBODY)
                put_edge(e, shape, lane->peer, rank, lane);
        }
    }
    printf("}\n");
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static struct shape checked_shape(const struct engine *e, enum collective c)
{
    struct shape shape = {.collective = c, .ranks = (int)ranks, .root = (int)root, .blocks = blocks};
    const struct service *service = &e->serves[c];
    if (ranks == 0)
        cli_fail(STATUS_USAGE, "--ranks is missing");
    if (root > 0 && !cli_rooted(c))
        cli_fail(STATUS_USAGE, "--root %lld: %s has no root", (long long)root, collective_name(c));
    if (root >= ranks)
        cli_fail(STATUS_USAGE, "--root %lld: the ranks are 0 to %lld", (long long)root, (long long)ranks - 1);
    if (only >= ranks)
        cli_fail(STATUS_USAGE, "--rank %lld: the ranks are 0 to %lld", (long long)only, (long long)ranks - 1);
    if (!service->formula)
        cli_fail(STATUS_USAGE, "%s does not serve %s; see 'pleach engines'", e->name, collective_name(c));
    if (!service->start)
        cli_fail(STATUS_USAGE, "%s has no schedule: it is %s", e->name, e->summary);
    shape.ordered = c != COLL_BCAST && op != OP_ANY;
    if (!engine_fits(e, &shape) && op == OP_NOT_GIVEN)
        shape.ordered = false;
    if (!engine_fits(e, &shape))
        cli_fail(STATUS_USAGE, "%s does not serve %s %s of %d ranks at root %d: it needs %s", e->name,
                 shape.ordered ? "an ordered" : "a", collective_name(c), shape.ranks, shape.root, service->needs);
    return shape;
}

static int run(int count, char **operand)
{
    const struct engine *e = cli_engine(operand[0]);
    const struct shape shape = checked_shape(e, cli_collective(operand[1]));
    int first = only == NOBODY ? 0 : (int)only, last = only == NOBODY ? shape.ranks - 1 : (int)only;
    (void)count;
    if (format == FORMAT_TSV)
        put_tsv(e, &shape, first, last);
    else if (format == FORMAT_DOT)
        put_dot(e, &shape, first, last);
    else
        schedule_table_rows(stdout, e, &shape, first, last);
    return 0;
}

static const struct command_option options[] = {
    {"ranks", "P", "number of ranks", OPTION_NUMBER, 1, MOST_RANKS, &ranks},
    {"root", "R", "rank of the root; default 0", OPTION_NUMBER, 0, MOST_RANKS - 1, &root},
    {"blocks", "N", "number of blocks; default 8", OPTION_NUMBER, 1, MOST_BLOCKS, &blocks},
    {"rank", "r", "print this rank alone", OPTION_NUMBER, 0, MOST_RANKS - 1, &only},
    {"format", "tsv|dot|table", "default tsv", OPTION_WORD, 0, 0, &format},
    {"op", "ordered|any", "combine operands in the order of the ranks, or in any; default: ordered if possible", OPTION_WORD,
     0, 0, &op},
    {0},
};

const struct command command_schedule = {
    .name = "schedule",
    .usage = "ENGINE COLLECTIVE --ranks P [OPTION...]",
    .summary = "print what each rank does, step by step",
    .details = "Prints what each rank does, step by step.\n"
               "  tsv    a line for each action of a rank, in its order. An exchange sends block a_block of a_slot\n"
               "         to rank `to' while block b_block of b_slot comes in from rank `from'; a fold puts a (+) b\n"
               "         into b, a copy a into b.\n"
               "  dot    a graph for Graphviz: who sends to whom, from which step on, how many blocks\n"
               "  table  a row for each rank, a column for each step, the block received / the block sent\n",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
