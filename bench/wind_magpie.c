/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kielmann, Hofman, Bal, Plaat, Bhoedjang: MagPIe: MPI's collective communication operations for clustered wide area
 * systems. PPoPP 1999. The root sends to the first rank of every other site; inside a site, messages take a binomial tree.
 * Later versions of MagPIe cut messages into blocks. Blocks take a binary tree, in which ranks have fewer children
 * than in a binomial one.
 */
#include "wind_magpie.h"

#include <stdlib.h>
#include <string.h>

/* A rank's neighbours in the tree. */
struct family {
    int parent, children; /* parent MPI_PROC_NULL: none */
    int *child;           /* those with the largest subtrees first */
};

static bool same_site(const struct wind_call *c, int a, int b)
{
    return !c->machine->site || c->machine->site[a] == c->machine->site[b];
}

static struct family family_of(const struct wind_call *c)
{
    struct family f = {.parent = MPI_PROC_NULL, .child = malloc(2 * (size_t)c->ranks * sizeof *f.child)};
    if (!f.child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int *local = f.child + c->ranks, count = 0, mine = 0;
    for (int r = 0; r < c->ranks; r++) {
        if (same_site(c, r, c->rank)) {
            mine = r == c->rank ? count : mine;
            local[count++] = r;
            continue;
        }
        int first = 0;
        while (!same_site(c, first, r))
            first++;
        if (c->rank == 0 && first == r)
            f.child[f.children++] = r;
    }
    if (mine == 0)
        f.parent = c->rank == 0 ? MPI_PROC_NULL : 0;
    if (c->blocks > 1) {
        if (mine > 0)
            f.parent = local[(mine - 1) / 2];
        for (int child = 2 * mine + 1; child <= 2 * mine + 2 && child < count; child++)
            f.child[f.children++] = local[child];
        return f;
    }
    int bit = 1;
    while (bit < count && !(mine & bit))
        bit *= 2;
    if (mine > 0)
        f.parent = local[mine - bit];
    while (bit /= 2)
        if (mine + bit < count)
            f.child[f.children++] = local[mine + bit];
    return f;
}

/* The bytes of this number of elements. */
static int64_t bytes(const struct wind_call *c, int64_t units)
{
    int size;
    MPI_Type_size(c->type, &size);
    return units * size;
}

static void send(const struct wind_call *c, const void *memory, int count, int to)
{
    c->wire->Sendrecv(memory, count, c->type, to, 0, NULL, 0, c->type, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void wind_magpie_bcast(const struct wind_call *c)
{
    const struct family f = family_of(c);
    for (int64_t b = 0; b < c->blocks; b++) {
        const int64_t first = b * c->units / c->blocks, end = (b + 1) * c->units / c->blocks;
        char *block = (char *)c->out + bytes(c, first);
        MPI_Recv(block, (int)(end - first), c->type, f.parent, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < f.children; i++)
            send(c, block, (int)(end - first), f.child[i]);
    }
    free(f.child);
}

void wind_magpie_reduce(const struct wind_call *c)
{
    const struct family f = family_of(c);
    memcpy(c->out, c->in, (size_t)bytes(c, c->units));
    for (int64_t b = 0; b < c->blocks; b++) {
        const int64_t first = b * c->units / c->blocks, end = (b + 1) * c->units / c->blocks;
        char *block = (char *)c->out + bytes(c, first);
        for (int i = f.children - 1; i >= 0; i--) {
            MPI_Recv(c->scratch, (int)(end - first), c->type, f.child[i], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Reduce_local(c->scratch, block, (int)(end - first), c->type, c->op);
        }
        send(c, block, (int)(end - first), f.parent);
    }
    free(f.child);
}
