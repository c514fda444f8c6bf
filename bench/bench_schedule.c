/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the time that a schedule takes: nanoseconds of its start and of a step, for every engine and collective, and for
 * growing numbers of ranks; also the nanoseconds in which a rank finds its neighbours in the two trees of two-tree, and the
 * colour of an edge of mirrored trees. The program has one thread and no MPI. The fastest of several runs counts: the others
 * were disturbed.
 */
#include "engine.h"
#include "seconds.h"
#include "two_tree.h"

#include <stdio.h>

enum { BLOCKS = 1000, REPEAT = 7, STARTS = 1000, WALKS = 50 };

static const int sizes[] = {16, 1024, 1000000};

static double now(void)
{
    return seconds_now() * 1e9;
}

/* Keeps the compiler from dropping work whose result is unused. */
static void use(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Returns the i-th of a sequence of ranks that are spread over 0 .. ranks-1. The sequence is the same in every run. */
static int some_rank(int i, int ranks)
{
    return (int)((unsigned)i * 2654435761u % (unsigned)ranks);
}

static double start_time(const struct engine *e, const struct shape *shape)
{
    struct walk s;
    double t = now();
    for (int i = 0; i < STARTS; i++) {
        engine_walk(e, &s, shape, some_rank(i, shape->ranks));
        use(&s);
    }
    return (now() - t) / STARTS;
}

static double step_time(const struct engine *e, const struct shape *shape)
{
    struct walk s;
    struct step step;
    long steps = 0;
    double t = 0;
    for (int i = 0; i < WALKS; i++) {
        engine_walk(e, &s, shape, some_rank(i, shape->ranks));
        double begin = now();
        while (walk_next(&s, &step)) {
            use(&step);
            steps++;
        }
        t += now() - begin;
    }
    return t / (double)steps;
}

static double node_time(int nodes)
{
    struct {
        int child[2], colour;
    } node;
    double t = now();
    for (int i = 0; i < STARTS; i++)
        for (int tree = TREE_U; tree <= TREE_V; tree++) {
            int x = some_rank(i, nodes);
            node.colour = two_tree_colour(nodes, tree, x);
            two_tree_children(nodes, tree, x, node.child);
            use(&node);
        }
    return (now() - t) / STARTS;
}

static double colour_time(int nodes)
{
    int sum = 0;
    double t = now();
    for (int i = 0; i < STARTS; i++)
        sum += mirror_colour(nodes, 2 + 2 * some_rank(i, nodes / 2));
    use(&sum);
    return (now() - t) / STARTS;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(void)
{
    printf("%-17s %-10s %9s %9s %9s\n", "engine", "collective", "ranks", "ns/start", "ns/step");
    for (int i = 0; engines[i]; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
                struct shape shape = {.collective = (enum collective)c, .ranks = sizes[k], .blocks = BLOCKS};
                if (!engine_fits(engines[i], &shape))
                    continue;
                double start = 1e9, step = 1e9;
                for (int r = 0; r < REPEAT; r++) {
                    start = least(start, start_time(engines[i], &shape));
                    step = least(step, step_time(engines[i], &shape));
                }
                printf("%-17s %-10s %9d %9.1f %9.1f\n", engines[i]->name, collective_name(shape.collective), sizes[k], start,
                       step);
            }
    printf("\na rank as a node of both trees (children, colours):\n");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double node = 1e9;
        for (int r = 0; r < REPEAT; r++)
            node = least(node, node_time(sizes[k] - 1));
        printf("%-28s %9d %9.1f\n", "two-tree", sizes[k], node);
    }
    printf("\nthe colour of an edge of the mirrored trees:\n");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double colour = 1e9;
        for (int r = 0; r < REPEAT; r++)
            colour = least(colour, colour_time(sizes[k]));
        printf("%-28s %9d %9.1f\n", "two-tree-mirror", sizes[k], colour);
    }
    return 0;
}
