/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawings of a schedule; see draw.h. Graphviz does the drawing. */
#include "draw.h"

#include "cli.h"
#include "index.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* All messages that a rank sends to one other rank in one tree. */
struct edge {
    int to, tree;
    int64_t step;        /* of the first message */
    int64_t blocks;      /* blocks in all messages; a block that is sent twice counts twice */
    int64_t least, most; /* the lowest and the highest number of a block */
};

struct edges {
    struct edge *edge;
    int count;
    int64_t room;
};

/* The tree that carries a block: tree 1 has the first half of the blocks; see trees.c. */
static int tree_of(const struct engine *e, const struct shape *shape, int64_t block)
{
    return e->halves && block < shape->blocks - shape->blocks / 2;
}

/* Takes the next message that a rank sends; false at the end. */
static bool next_message(struct walk *s, struct step *x)
{
    do
        if (!walk_next(s, x))
            return false;
    while (x->kind != STEP_EXCHANGE || x->to == NOBODY);
    return true;
}

/* ---- senders and receivers ----------------------------------------------------------------------------------------- */

static void gather_edges(struct edges *all, int tree, const struct step *x, int64_t blocks)
{
    const int64_t end = x->a.block + x->a.more;
    /* A piece that wraps around from the last block to block 0 counts as all blocks. */
    const int64_t least = end < blocks ? x->a.block : 0, most = end < blocks ? end : blocks - 1;
    int i = 0;
    while (i < all->count && (all->edge[i].to != x->to || all->edge[i].tree != tree))
        i++;
    if (!array_reserve(&all->edge, &all->room, i + 1, sizeof *all->edge))
        cli_fail(STATUS_FAILED, "not enough memory");
    if (i == all->count)
        all->edge[all->count++] = (struct edge){x->to, tree, x->when, 0, least, most};
    struct edge *edge = &all->edge[i];
    edge->blocks += x->a.more + 1;
    edge->least = least < edge->least ? least : edge->least;
    edge->most = most > edge->most ? most : edge->most;
}

static int by_receiver(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/*
 * Writes a tree, or the whole graph if the engine does not have two trees, as a cluster of Graphviz. "t0r5" is rank 5 in
 * tree 0.
 */
static void put_tree(FILE *f, const struct engine *e, const struct shape *shape, int first, int last, int tree)
{
    int64_t half = shape->blocks - shape->blocks / 2, from = tree ? 0 : e->halves ? half : 0;
    int64_t to = (tree ? half : shape->blocks) - 1;
    bool rooted = collective_rooted(shape->collective);
    fprintf(f, "    subgraph cluster_%d {\n        color=none;\n", tree);
    if (e->halves && from <= to)
        fprintf(f, "        label=\"blocks %lld to %lld\";\n", (long long)from, (long long)to);
    for (int rank = first; rank <= last; rank++) {
        struct edges all = {0};
        struct walk s;
        struct step message;
        fprintf(f, "        t%dr%d [label=\"%d\"%s];\n", tree, rank, rank,
                rooted && rank == shape->root ? ", shape=doublecircle" : "");
        for (engine_walk(e, &s, shape, rank); next_message(&s, &message);)
            gather_edges(&all, tree_of(e, shape, message.a.block), &message, shape->blocks);
        if (all.count > 0)
            qsort(all.edge, (size_t)all.count, sizeof *all.edge, by_receiver);
        for (int i = 0; i < all.count; i++) {
            const struct edge *x = &all.edge[i];
            const char *colour = x->step % 2 ? "firebrick" : "steelblue";
            if (x->tree != tree)
                continue;
            fprintf(f, "        t%dr%d [label=\"%d\"];\n", tree, x->to, x->to);
            fprintf(
                f,
                "        t%dr%d -> t%dr%d [label=\"%lld\", color=%s, fontcolor=%s, tooltip=\"%lld of blocks %lld-%lld\"];\n",
                tree, rank, tree, x->to, (long long)x->step, colour, colour, (long long)x->blocks, (long long)x->least,
                (long long)x->most);
        }
        free(all.edge);
    }
    if (rooted)
        fprintf(f, "        t%dr%d [shape=doublecircle];\n", tree, shape->root);
    fprintf(f, "    }\n");
}

void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last)
{
    const char *collective = collective_name(shape->collective);
    bool up = collective_flow(shape->collective) == FLOW_ALL_TO_ONE;
    bool alike = e->serves[shape->collective].work != NULL; /* the ranks have equal roles: draw them in a circle */
    fprintf(f,
            "digraph \"%s %s\" {\n"
            "    label=\"%s %s, %d ranks, %lld blocks. An edge shows its first step: blue even, red odd.\";\n"
            "    %s fontname=\"sans-serif\";\n"
            "    node [shape=circle, fontname=\"sans-serif\", width=0.4, fixedsize=true];\n"
            "    edge [fontname=\"sans-serif\", fontsize=10];\n",
            e->name, collective, e->name, collective, shape->ranks, (long long)shape->blocks,
            alike ? "layout=circo;"
            : up  ? "rankdir=BT; ordering=in;"
                  : "rankdir=TB; ordering=out;");
    for (int tree = e->halves; tree >= 0; tree--)
        put_tree(f, e, shape, first, last, tree);
    fprintf(f, "}\n");
}

/* ---- svg ----------------------------------------------------------------------------------------------------------- */

FILE *draw_script(void)
{
    FILE *f = tmpfile();
    if (!f)
        cli_fail(STATUS_FAILED, "no temporary file: %s", strerror(errno));
    return f;
}

void draw_run(FILE *script)
{
    static char *const command[] = {"dot", "-Tsvg", NULL};
    FILE *picture = draw_script();
    posix_spawn_file_actions_t actions;
    char buffer[8192];
    pid_t child;
    int status = 0;

    if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
        cli_fail(STATUS_FAILED, "cannot write a temporary file: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
    errno = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    if (errno)
        cli_fail(STATUS_FAILED, "dot, which draws this, cannot be run (Debian: graphviz): %s", strerror(errno));
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        cli_fail(STATUS_FAILED, "dot failed to draw this");
    rewind(picture);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, picture)) > 0;)
        fwrite(buffer, 1, got, stdout);
    fclose(picture);
    fclose(script);
    posix_spawn_file_actions_destroy(&actions);
}
