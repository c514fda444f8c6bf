/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind libpleach.so. It makes up a machine of sites and all times on it. So tests of places need
 * neither a network nor a quiet machine. If FAR_SITES is K, rank r of MPI_COMM_WORLD is in site r % K.
 *
 * A ping takes the time FAR to a host of another site, and NEAR to one of the same site. The answer takes as long, and a
 * host sends it at once. An exchange of two messages between two ranks takes as long as a ping, and BETA more for each byte.
 * Any other message takes ALPHA, and BETA for each byte.
 *
 * A ping carries the time at which it was sent. Its answer carries the time at which the answer arrives, and the pinger sets
 * its clock to that.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PING = 1, ANSWER = 2, MOST = 64 }; /* MPI tags, as in src/measure/prober.c; the most ranks */

/* Times in seconds; BETA in seconds a byte. */
#define FAR 8e-3
#define NEAR 1e-3
#define ALPHA 5e-6
#define BETA 10e-9
#define TICK 1e-7 /* the time that a look at the clock takes */

struct message {
    double time;
    char byte;
};

static double clock_now = 1;
static double arrived[MOST]; /* when the latest ping of each rank arrived */
static struct message held;  /* a message that MPI_Iprobe has received already */
static MPI_Status held_status;
static bool holds;

#define REAL(name)                                                                                                          \
    static __typeof__(&name) real;                                                                                          \
    if (!real)                                                                                                              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

/* The seconds that a ping to a rank, or its answer, is under way. */
static double delay(int rank, MPI_Comm comm)
{
    MPI_Group group, world;
    const char *text = getenv("FAR_SITES");
    int sites = text ? atoi(text) : 1, own, other;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &other);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    return other % sites == own % sites ? NEAR : FAR;
}

/* Only the library and the program regions, which has it, get the made-up time: MPI's progress may need the true one. */
int clock_gettime(clockid_t id, struct timespec *t)
{
    REAL(clock_gettime);
    Dl_info info;
    const char *name = dladdr(__builtin_return_address(0), &info) ? strrchr(info.dli_fname, '/') : NULL;
    if (!name || !(strstr(name, "pleach") || strstr(name, "regions")))
        return real(id, t);
    clock_now += TICK;
    t->tv_sec = (time_t)clock_now;
    t->tv_nsec = (long)(1e9 * (clock_now - (double)t->tv_sec));
    return 0;
}

int PMPI_Send(const void *out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    REAL(PMPI_Send);
    if (count != 1 || type != MPI_CHAR || to >= MOST || (tag != PING && tag != ANSWER))
        return real(out, count, type, to, tag, comm);
    struct message m = {.time = clock_now, .byte = *(const char *)out};
    if (tag == ANSWER)
        m.time = arrived[to] + delay(to, comm);
    return real(&m, sizeof m, MPI_BYTE, to, tag, comm);
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    REAL(PMPI_Iprobe);
    int error = MPI_SUCCESS;
    if (!holds) {
        error = real(from, tag, comm, there, &held_status);
        if (error || !*there)
            return error;
        const int source = held_status.MPI_SOURCE;
        PMPI_Recv(&held, sizeof held, MPI_BYTE, source, held_status.MPI_TAG, comm, MPI_STATUS_IGNORE);
        holds = true;
        if (held_status.MPI_TAG == PING)
            arrived[source] = held.time + delay(source, comm);
        else
            clock_now = held.time;
    }
    *there = true;
    *status = held_status;
    return error;
}

int PMPI_Recv(void *in, int room, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    REAL(PMPI_Recv);
    if (!holds)
        return real(in, room, type, from, tag, comm, status);
    *(char *)in = held.byte;
    holds = false;
    return MPI_SUCCESS;
}

int PMPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room, MPI_Datatype in_type,
                  int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    REAL(PMPI_Sendrecv);
    int size = 0;
    PMPI_Type_size(type, &size);
    if (to != MPI_PROC_NULL || from != MPI_PROC_NULL)
        clock_now += (to == from ? delay(to, comm) : ALPHA) + BETA * count * size;
    return real(out, count, type, to, tag, in, room, in_type, from, in_tag, comm, status);
}
