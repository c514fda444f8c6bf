/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * regions: makes communicators, one after the other, and finds the places of the ranks of each.
 *
 *     regions COMM..    world; dup; turn: the even ranks and the odd ones; halves; reverse: all, in reverse order; shrink:
 *                       all but rank 1; first: the lower half alone
 *                       again: world once more, after the times of its calls have changed
 *
 * For each communicator that rank 0 belongs to, the program prints the places, the ranks in the order of places, and the
 * ranks that sent pings. It also prints whether the places were measured or inherited or, for `again', known already.
 */
#include "library.h"
#include "made_comm.h"
#include "measure.h"
#include "nodes.h"

#include <stdio.h>
#include <string.h>

static int pings;
static struct measuring took;

static int count_ping(const void *out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    pings += tag == 1;
    return PMPI_Send(out, count, type, to, tag, comm);
}

/* Prints the places that follow from what was measured or inherited last. */
static void print(const char *name, const char *how, struct comm *c, int rank)
{
    const struct places *t = c->known.machine.places[SOURCE_MEASURED];
    char text[80];
    int who[c->ranks];
    MPI_Allgather(&pings, 1, MPI_INT, who, 1, MPI_INT, c->channel.comm);
    if (rank != 0)
        return;
    printf("%s: %s, places %s, order", name, how, places_text(t, text, sizeof text));
    for (int i = 0; i < c->ranks; i++)
        printf(" %d", t->order ? t->order[i] : i);
    printf(", pings of");
    for (int r = 0; r < c->ranks; r++)
        if (who[r])
            printf(" %d", r);
    printf("\n");
}

static void find_again(int rank)
{
    struct comm *c = comm_of(MPI_COMM_WORLD, NULL, NULL);
    const struct group_info *before = group_info_latest();
    pings = 0;
    c->known.drifts++;
    if (known_measures_again(&c->known) && !measure_at_leisure(c, &took))
        MPI_Abort(MPI_COMM_WORLD, 1);
    print("again", group_info_latest() == before ? "known" : "measured", c, rank);
}

static void find(const char *name, MPI_Comm comm, int rank)
{
    struct comm *c = comm_of(comm, NULL, NULL);
    pings = 0;
    bool settled = nodes_settle(c), inherits = settled && measure_inherit(c);
    if (!settled || comm_acquire(c, 0, 0) || (!inherits && !measure_at_leisure(c, &took)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    print(name, inherits ? "inherited" : "measured", c, rank);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!pmpi_find(pmpi_symbol) || !library_ready(MPI_COMM_WORLD))
        MPI_Abort(MPI_COMM_WORLD, 1);
    pmpi.Send = count_ping;
    for (int i = 1; i < argc; i++) {
        MPI_Comm comm = made_comm(argv[i], rank, ranks);
        if (strcmp(argv[i], "again") == 0)
            find_again(rank);
        if (comm != MPI_COMM_NULL)
            find(argv[i], comm, rank);
        if (comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
