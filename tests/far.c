/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A preload shim, behind libpleach.so: ranks in different sites are far from each other. FAR_SITES=K: rank r of
 * MPI_COMM_WORLD is in site r % K. A message of one byte to another site is under way for FAR_MS milliseconds, while its
 * sender goes on: it leaves in a later call of MPI_Iprobe or MPI_Allreduce. An exchange takes as long at its start.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1024 };

static struct message {
    double due;
    char byte;
    int to, tag;
    MPI_Comm comm;
} late[MOST]; /* in the order in which they are due */
static int first, end;

#define REAL(name)                                                                                                          \
    static __typeof__(&name) real;                                                                                          \
    if (!real)                                                                                                              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double delay(void)
{
    return 1e-3 * atof(getenv("FAR_MS"));
}

static bool is_far(int rank, MPI_Comm comm)
{
    MPI_Group group, world;
    int sites = atoi(getenv("FAR_SITES")), own, other;
    if (rank == MPI_PROC_NULL)
        return false;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &other);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    return other != MPI_UNDEFINED && other % sites != own % sites;
}

static void send_now(const struct message *m)
{
    REAL(PMPI_Send);
    real(&m->byte, 1, MPI_CHAR, m->to, m->tag, m->comm);
}

static void send_due(bool all)
{
    for (; first < end && (all || late[first % MOST].due <= now()); first++) {
        while (late[first % MOST].due > now())
            sched_yield();
        send_now(&late[first % MOST]);
    }
}

int PMPI_Send(const void *out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    REAL(PMPI_Send);
    if (count != 1 || type != MPI_CHAR || end - first == MOST || !is_far(to, comm))
        return real(out, count, type, to, tag, comm);
    late[end++ % MOST] = (struct message){now() + delay(), *(const char *)out, to, tag, comm};
    return MPI_SUCCESS;
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    REAL(PMPI_Iprobe);
    send_due(false);
    return real(from, tag, comm, there, status);
}

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REAL(PMPI_Allreduce);
    send_due(true);
    return real(in, out, count, type, op, comm);
}

int PMPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room, MPI_Datatype in_type,
                  int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    REAL(PMPI_Sendrecv);
    if (to == from && is_far(to, comm))
        for (double end_of_way = now() + delay(); now() < end_of_way;)
            sched_yield();
    return real(out, count, type, to, tag, in, room, in_type, from, in_tag, comm, status);
}
