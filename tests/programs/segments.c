/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments MOST ALIVE [WAY]: makes MOST communicators of all ranks in several orders, or as many as MPI has, and frees the
 * oldest when ALIVE are there. Each has large calls when it is made, and again before it is freed. A process may keep no
 * descriptor of memory that a library shares between ranks, and no file in /dev/shm, whose name would not vanish. Prints
 * "segments ok: N communicators, at most M KiB shared in P pieces, L left" for rank 0, and "in /dev/shm" behind "shared" if
 * all memory once had a name there. If WAY contains "threads", the program asks for
 * MPI_THREAD_MULTIPLE. If WAY contains "idle", the program makes a communicator without calls after each free; MPI may give
 * this one the freed handle.
 */
#include "expect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 1501, MOST = 10000, DESCRIPTORS = 256, LOOK_AFTER = 16 };

static int most_pieces;
static long most_bytes;
static int all_named = 1;

static int is_shared(const char *text)
{
    return strstr(text, "/memfd:pleach") || strstr(text, "/dev/shm/pleach-");
}

/* Pieces of shared memory that the process has mapped. */
static int pieces(void)
{
    char line[512];
    int count = 0;
    long bytes = 0;
    unsigned long from, to;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (is_shared(line) && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            expect("names that are left", !strstr(line, "(deleted)"), 0);
            all_named &= strstr(line, "/dev/shm/") != NULL;
            bytes += (long)(to - from);
            count++;
        }
    if (f)
        fclose(f);
    most_pieces = count > most_pieces ? count : most_pieces;
    most_bytes = bytes > most_bytes ? bytes : most_bytes;
    return count;
}

static void check_descriptors(void)
{
    for (int i = 0; i < DESCRIPTORS; i++) {
        char path[64], target[128] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        if (readlink(path, target, sizeof target - 1) > 0 && is_shared(target))
            expect("a descriptor is left", i, -1);
    }
}

static void calls(MPI_Comm comm, int key)
{
    static int data[COUNT], sum[COUNT];
    int at;
    MPI_Comm_rank(comm, &at);
    for (int i = 0; i < COUNT; i++)
        data[i] = at == key % ranks ? key + i : -1;
    MPI_Bcast(data, COUNT, MPI_INT, key % ranks, comm);
    MPI_Scan(data, sum, COUNT, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++) {
        expect("broadcast", data[i], key + i);
        expect("scan", sum[i], (at + 1L) * (key + i));
    }
}

/* Makes a communicator. The order of its ranks depends on its number. */
static int make(int number, MPI_Comm *comm)
{
    const int turned = (rank + number) % ranks;
    if (number % 4 == 0)
        return MPI_Comm_dup(MPI_COMM_WORLD, comm);
    return MPI_Comm_split(MPI_COMM_WORLD, 0, number % 2 ? turned : -turned, comm);
}

static void finish(MPI_Comm *comm)
{
    calls(*comm, 1);
    MPI_Comm_free(comm);
}

int main(int argc, char **argv)
{
    static MPI_Comm comm[MOST], idle[MOST];
    int n = 0, freed = 0;
    const char *way = argc > 3 ? argv[3] : "";
    begin(&argc, &argv, strstr(way, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
    const int most = argc > 1 ? atoi(argv[1]) : MOST, alive = argc > 2 ? atoi(argv[2]) : MOST;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (n < most && n < MOST && make(n, &comm[n]) == MPI_SUCCESS) {
        MPI_Comm_set_errhandler(comm[n], MPI_ERRORS_ARE_FATAL);
        calls(comm[n], n);
        n++;
        if (n - freed == alive) {
            finish(&comm[freed]);
            if (strstr(way, "idle"))
                MPI_Comm_dup(MPI_COMM_WORLD, &idle[freed]);
            freed++;
        }
        if (n % LOOK_AFTER == 0) {
            pieces();
            check_descriptors();
        }
    }
    while (freed < n)
        finish(&comm[freed++]);
    make(0, &comm[0]); /* a library may keep what the others had until this one is freed */
    finish(&comm[0]);
    const int left = pieces();
    if (rank == 0)
        printf("segments ok: %d communicators, at most %ld KiB shared%s in %d pieces, %d left\n", n, most_bytes >> 10,
               all_named ? " in /dev/shm" : "", most_pieces, left);
    MPI_Finalize();
    return 0;
}
