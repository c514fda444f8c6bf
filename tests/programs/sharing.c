/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sharing: ranks share memory, or fail to. The program performs the actions that its arguments name. For each communicator,
 * rank 1 prints the way in which its ranks share memory: memfd, named, or none. Either all ranks must have the same memory,
 * or none may have any; and no more may be mapped than communicators have, or freed ones had. If each rank has a core, rank
 * 1 also prints how the ranks got the segment's figures. To make a segment may not measure it.
 *     world; dup; turned K (all ranks, rotated by K)   makes a communicator and a segment for it
 *     pair K L         makes a communicator of ranks K and L alone, and a segment for it
 *     leave            ends without MPI_Finalize, which hangs now and then where UCX_TLS is tcp
 *     dups N           makes N duplicates of world
 *     measure          measures the segment of the latest communicator, if all ranks have it
 *     free             frees the latest communicator, which is the only one that uses its segment
 *     drift RANK       that rank counts a round of the latest communicator's segment that the others do not
 *     maps N           the process must have mapped N segments
 *     fork             forks; the child must not have the memory
 *     no PART WAY RANK on that rank, a part (make, open or map) of a way to share (0 or 1) fails; copy: the rank maps a copy
 *     space RANK       that rank has no more address space (ulimit -v)
 *     steady           measuring a segment counts as undisturbed
 *     disturbed        measuring a segment counts as disturbed
 *     held RANK        from now on that rank stands still for 3 ms every 5 ms
 *     files RANK       that rank can write only small files (ulimit -f)
 */
#include "library.h"
#include "nodes.h"
#include "sample.h"
#include "sharedfile.h"
#include "sharing.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks, live, freed; /* segments that communicators use; that freed ones have used */
static struct segment *segment[64];  /* those in use, each once */
static MPI_Comm latest = MPI_COMM_NULL;

static void die(const char *why)
{
    fprintf(stderr, "sharing: rank %d: %s\n", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int agreed(MPI_Comm comm, int mine, MPI_Op op)
{
    int all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, op, comm);
    return all;
}

/* ---- Failures ------------------------------------------------------------------------------------------------------ */

enum part { PART_MAKE, PART_OPEN, PART_MAP, PART_COPY, PARTS };
static bool no_space, fails[PARTS][SHARED_WAYS];
static enum shared_way way; /* the way to share that the ranks try now */

int __real_shared_make(enum shared_way w, int64_t bytes, struct shared_offer *offer);
int __real_shared_open(const struct shared_offer *offer);
char *__real_shared_map(int file, int64_t bytes, int64_t from, int64_t length);
int __wrap_shared_make(enum shared_way w, int64_t bytes, struct shared_offer *offer);
int __wrap_shared_open(const struct shared_offer *offer);
char *__wrap_shared_map(int file, int64_t bytes, int64_t from, int64_t length);

/* Returns the earlier limit. */
static rlim_t set_limit(int resource, rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(resource, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(resource, &limit);
    return before;
}

/* The bytes of address space that the process uses. */
static rlim_t space_used(void)
{
    char text[64] = "";
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || !fgets(text, sizeof text, f))
        die("no /proc/self/statm");
    fclose(f);
    return (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

int __wrap_shared_make(enum shared_way w, int64_t bytes, struct shared_offer *offer)
{
    way = w;
    memset(offer, 0, sizeof *offer);
    return fails[PART_MAKE][w] ? -1 : __real_shared_make(w, bytes, offer);
}

int __wrap_shared_open(const struct shared_offer *offer)
{
    way = offer->named ? SHARED_NAMED : SHARED_UNNAMED;
    return fails[PART_OPEN][way] ? -1 : __real_shared_open(offer);
}

char *__wrap_shared_map(int file, int64_t bytes, int64_t from, int64_t length)
{
    if (fails[PART_MAP][way])
        return NULL;
    if (!fails[PART_COPY][way]) {
        const rlim_t before = set_limit(RLIMIT_AS, no_space ? space_used() : RLIM_INFINITY);
        char *memory = __real_shared_map(file, bytes, from, length);
        set_limit(RLIMIT_AS, before);
        return memory;
    }
    char *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void let_fail(const char *part, int w, bool here)
{
    static const char *const names[PARTS] = {"make", "open", "map", "copy"};
    for (int i = 0; i < PARTS; i++)
        fails[i][w] |= here && strcmp(part, names[i]) == 0;
}

static bool steady, disturbed;
static int samples; /* taken so far */

struct sample __real_sample_measure(struct measurement *w, int least, int most);
struct sample __wrap_sample_measure(struct measurement *w, int least, int most);

struct sample __wrap_sample_measure(struct measurement *w, int least, int most)
{
    struct sample s = __real_sample_measure(w, least, most);
    s.noisy = disturbed || (s.noisy && !steady);
    samples++;
    return s;
}

static void stand_still(int signal)
{
    const int before = errno;
    (void)signal;
    usleep(3000);
    errno = before;
}

static void hold_up(void)
{
    signal(SIGALRM, stand_still);
    ualarm(5000, 5000);
}

/* ---- Segments ------------------------------------------------------------------------------------------------------ */

static bool names_segment(const char *text)
{
    return strstr(text, "memfd:pleach") || strstr(text, "/dev/shm/pleach");
}

/* How many segments this process has mapped. */
static int mapped(void)
{
    char line[512];
    int count = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    if (!f)
        die("no /proc/self/maps");
    while (fgets(line, sizeof line, f))
        count += names_segment(line);
    fclose(f);
    return count;
}

/* How many descriptors of segments this process has open. */
static int open_files(void)
{
    int count = 0;
    for (int i = 0; i < 1024; i++) {
        char path[64], target[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        count += names_segment(target);
    }
    return count;
}

static char mark(int owner, int64_t spot, int salt)
{
    return (char)(owner * 31 + spot * 7 + salt);
}

/* Each rank fills its spots, and reads those of all. */
static void use(const struct comm *c)
{
    static int salt;
    const struct segment *s = c->channel.segment;
    salt = agreed(c->user, salt + 1, MPI_MAX); /* ranks may have made different numbers of these calls */
    for (int64_t k = 0; k < s->spots; k++)
        memset(segment_cell(s, s->rank, k), mark(s->rank, k, salt), (size_t)1 << s->spot_log);
    MPI_Barrier(c->user);
    for (int r = 0; r < s->ranks; r++)
        for (int64_t k = 0; k < s->spots; k++)
            for (int64_t i = 0; i < 1 << s->spot_log; i++)
                if (segment_cell(s, r, k)[i] != mark(r, k, salt))
                    die("a spot has other bytes than its rank wrote");
    for (int r = 0; r < s->ranks; r++)
        if (!s->next && (segment_turn(s, r, 0)->turn || segment_rank(s, r)->out))
            die("a counter of a new segment is not 0");
    for (size_t i = sizeof segment_head(s)->question; i < SEGMENT_PAGE; i++)
        if (s->memory[i])
            die("the head of a new segment has more than the question");
    MPI_Barrier(c->user);
}

/* How the ranks got the segment's figures, which must be the same on all. */
static const char *figures_of(const struct comm *c)
{
    const struct segment *s = c->channel.segment;
    const struct {
        struct segment_figures figures;
        int64_t known, takes, stream_past, spread_past;
    } mine = {s->figures, s->known, s->claims, s->stream_past, s->spread_past};
    char first[sizeof mine];
    memcpy(first, &mine, sizeof mine);
    MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, c->user);
    if (agreed(c->user, memcmp(first, &mine, sizeof mine) != 0, MPI_MAX))
        die("ranks have different figures of a segment");
    if (c->known.machine.segment_known != s->known || c->known.machine.segment.fold != s->figures.fold)
        die("what is known of the segment's figures does not fit");
    if (!s->known && (s->figures.fold > 0 || s->claims || s->stream_past < INT64_MAX || s->spread_past < INT64_MAX))
        die("a segment that was not measured has figures");
    return s->yields              ? ""
           : !s->known            ? ", nominal"
           : s->figures.fold <= 0 ? ", disturbed"
           : s->next              ? ", measured"
                                  : ", remembered";
}

static void check_nothing_left(void)
{
    if (open_files())
        die("a descriptor is left");
    if (mapped() < live || mapped() > live + freed)
        die("the process maps another number of segments than it has");
}

static void remember(struct segment *s)
{
    for (int i = 0; i < live; i++)
        if (segment[i] == s)
            return;
    segment[live++] = s;
}

/* Makes a segment for the communicator, unless no engine may serve it, and checks the segment. */
static void make(const char *name, MPI_Comm handle)
{
    struct comm *c = comm_of(handle, NULL, NULL);
    if (!c || c->known.barred || !nodes_settle(c) || comm_acquire(c, 0, 0)) {
        if (rank == 1)
            printf("%s: no engine: %s\n", name, c ? reason_word(c->known.barred) : "no communicator");
        return;
    }
    const uint32_t generation = c->known.machine.generation;
    double seconds;
    char why[SHARING_WHY];
    int words = 0; /* a sum of the characters of `why` */
    const int before = samples;
    const bool has = sharing_make(c, &seconds, why);
    if (samples != before)
        die("making a segment measures it");
    for (int i = 0; why[i]; i++)
        words += (i + 1) * (unsigned char)why[i];
    if (has && *why)
        die("an obstacle is named, and there is a segment");
    if (agreed(handle, words, MPI_MIN) != agreed(handle, words, MPI_MAX))
        die("ranks name different obstacles");
    if (has != (c->channel.segment != NULL) || (c->known.machine.cell > 0) != has || !c->known.machine.shared_tried ||
        c->known.machine.generation == generation)
        die("what is known of the segment does not fit");
    if (agreed(handle, has, MPI_MIN) != agreed(handle, has, MPI_MAX))
        die("some ranks have a segment, and others have none");
    const char *figures = "";
    if (has) {
        remember(c->channel.segment);
        figures = figures_of(c);
        use(c);
    }
    check_nothing_left();
    if (rank == 1 && name[0])
        printf("%s: %s%s\n", name, !has ? "none" : way == SHARED_NAMED ? "named" : "memfd", figures);
}

static void measure(MPI_Comm handle)
{
    struct comm *c = comm_of(handle, NULL, NULL);
    struct limit limit = {.start = seconds_now(), .most = 60};
    const int before = samples;
    char *buffers = malloc(2 * (size_t)c->known.machine.cell);
    if (!buffers)
        die("out of memory");
    sharing_measure(c, buffers, &limit);
    free(buffers);
    const int taken = samples - before;
    const char *figures = figures_of(c);
    use(c);
    if (rank == 1)
        printf("%s%s\n", taken ? "samples" : "no samples", figures);
}

/* Makes a segment for two ranks. The other ranks then have more of their budget left. */
static void make_pair(const char *name, int first, int second)
{
    MPI_Comm_split(MPI_COMM_WORLD, rank == first || rank == second ? 0 : MPI_UNDEFINED, rank == second, &latest);
    if (latest != MPI_COMM_NULL)
        make(name, latest);
}

static void leave(void)
{
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(0);
}

static void fork_child(void)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(mapped());
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        die("a child of fork() has the memory, or fork() fails");
}

/* ---- Arguments ----------------------------------------------------------------------------------------------------- */

static void free_latest(void)
{
    struct comm *c = comm_of(latest, NULL, NULL);
    for (int i = 0; i < live; i++)
        if (segment[i] == c->channel.segment) {
            segment[i--] = segment[--live];
            freed++;
        }
    MPI_Comm_free(&latest);
    MPI_Comm_dup(MPI_COMM_WORLD, &latest);
    comm_of(latest, NULL, NULL); /* when this one is freed, the library looks for other freed ones */
    MPI_Comm_free(&latest);
}

/* Performs one action and returns the number of its arguments. */
static int perform(char **word)
{
    const char *name = word[0];
    char text[64];
    if (strcmp(name, "world") == 0) {
        latest = MPI_COMM_WORLD;
        make(name, latest);
    } else if (strcmp(name, "dup") == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &latest);
        make(name, latest);
    } else if (strcmp(name, "turned") == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + atoi(word[1])) % ranks, &latest);
        snprintf(text, sizeof text, "turned %s", word[1]);
        make(text, latest);
        return 1;
    } else if (strcmp(name, "dups") == 0) {
        for (int i = 1; i <= atoi(word[1]); i++) {
            snprintf(text, sizeof text, "dup %d", i);
            MPI_Comm_dup(MPI_COMM_WORLD, &latest);
            make(i == atoi(word[1]) ? text : "", latest);
        }
        return 1;
    } else if (strcmp(name, "measure") == 0) {
        if (latest != MPI_COMM_NULL)
            measure(latest);
    } else if (strcmp(name, "free") == 0) {
        free_latest();
        check_nothing_left();
    } else if (strcmp(name, "drift") == 0) {
        if (rank == atoi(word[1]))
            comm_of(latest, NULL, NULL)->channel.segment->next++;
        return 1;
    } else if (strcmp(name, "maps") == 0) {
        if (mapped() != atoi(word[1]))
            die("the process has mapped another number of segments");
        return 1;
    } else if (strcmp(name, "pair") == 0) {
        snprintf(text, sizeof text, "pair %s %s", word[1], word[2]);
        make_pair(text, atoi(word[1]), atoi(word[2]));
        return 2;
    } else if (strcmp(name, "leave") == 0) {
        leave();
    } else if (strcmp(name, "fork") == 0) {
        fork_child();
    } else if (strcmp(name, "no") == 0) {
        let_fail(word[1], atoi(word[2]), rank == atoi(word[3]));
        return 3;
    } else if (strcmp(name, "space") == 0) {
        if (rank == atoi(word[1]))
            no_space = true;
        return 1;
    } else if (strcmp(name, "steady") == 0) {
        steady = true;
    } else if (strcmp(name, "disturbed") == 0) {
        disturbed = true;
    } else if (strcmp(name, "held") == 0) {
        if (rank == atoi(word[1]))
            hold_up();
        return 1;
    } else if (strcmp(name, "files") == 0) {
        if (rank == atoi(word[1]))
            set_limit(RLIMIT_FSIZE, 4096);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!pmpi_find(pmpi_symbol) || !library_ready(MPI_COMM_WORLD))
        die("the library does not start");
    for (char **word = argv + 1; *word; word++)
        word += perform(word);
    MPI_Finalize();
}
