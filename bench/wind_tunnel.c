/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The wind tunnel times engines and native collectives on a network that SimGrid's SMPI simulates. Times are those of the
 * simulated clock, so they are the same in every run and on every machine.
 *
 *     wind_tunnel wait|far|free COLLECTIVE[,COLLECTIVE...] SIZE SELECTION WAY...
 *     wind_tunnel memory COLLECTIVE[,COLLECTIVE...] SIZE SELECTION WAY...
 *
 * On a machine of sites, the first argument says which messages of engines wait for their receivers: all of them, those
 * inside a site, or none; see wind_wire.h. With `memory', copies and folds take time, and the ranks of a node share memory;
 * see wind_memory.h.
 *
 * The program prints a line of TSV for every call and each WAY to perform it:
 *
 *     native        the native call, by the algorithms of SMPI's SELECTION
 *     auto          the choice of the library
 *     ENGINE        that engine, if it serves the call
 *     engines       all engines that serve the call
 *     best:ENGINE   that engine, with the best number of blocks
 *     best:magpie   the trees of MagPIe (wind_magpie.c), with the best number of blocks
 *
 * SMPI performs some calls otherwise than MPICH. If auto leaves such a call to the native library, an engine that does what
 * MPICH does performs the call. For scans, which SMPI passes from rank to rank, this engine is doubling. For all-reduces
 * of a built-in operation on 2^k ranks, one on each node, it is butterfly, which then is Rabenseifner's algorithm.
 *
 * The library's own executor, src/run, performs engines. Computing takes no simulated time without `memory'. The program
 * checks results if the messages of all ranks fit into memory; else all ranks share one message. It leaves out native
 * reductions for which memory is short. SMPI runs all ranks as threads of one process, so this file has no variables outside
 * functions.
 */
#include "operation.h"
#include "wind_magpie.h"
#include "wind_memory.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the smallest blocks that best:ENGINE tries. */
enum { LEAST_BLOCK = 256 };

/* The program checks results of engines, and of native calls, if the messages of all ranks have at most so many bytes. */
#define MOST_CHECKED (INT64_C(256) << 20)
#define MOST_NATIVE (INT64_C(1) << 30)

/* An element is a run of consecutive ranks, which the user's operation joins in order; or, for a sum, a number. */
union element {
    struct {
        int32_t first, last;
    } run;
    int64_t number;
};
enum { OUT_OF_ORDER = -1, ELEMENT = sizeof(union element) };

struct tunnel {
    int rank, ranks;
    const char *selection;
    struct wind_machine machine;
    struct settings settings;
    MPI_Op join, join_nothing;
    MPI_Op add; /* of exact operations with `memory'; else MPI_OP_NULL */
    struct channel channel;
    struct walk walk;
    /* Of the call at hand: */
    const struct facts *facts;
    MPI_Datatype type;
    MPI_Op op;
    bool checked;
    union element *in, *out;
};

/* ---- Data ---------------------------------------------------------------------------------------------------------- */

static void join(void *lower, void *upper, int *count, MPI_Datatype *type)
{
    const union element *a = lower;
    union element *b = upper;
    (void)type;
    wind_memory_work(3.0 * ELEMENT * *count);
    for (int i = 0; i < *count; i++) {
        bool touch = a[i].run.last != OUT_OF_ORDER && b[i].run.last != OUT_OF_ORDER && a[i].run.last + 1 == b[i].run.first;
        b[i].run.first = a[i].run.first;
        b[i].run.last = touch ? b[i].run.last : OUT_OF_ORDER;
    }
}

/* The fold of numbers with `memory'. */
static void add_to(void *out, const void *a, const void *b, size_t count)
{
    const int64_t *x = a, *y = b;
    int64_t *sum = out;
    wind_memory_work(3.0 * ELEMENT * (double)count);
    for (size_t i = 0; i < count; i++)
        sum[i] = x[i] + y[i];
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    add_to(inout, in, inout, (size_t)*count);
}

static void join_nothing(void *lower, void *upper, int *count, MPI_Datatype *type)
{
    (void)lower, (void)upper, (void)type;
    wind_memory_work(3.0 * ELEMENT * *count);
}

/* Memory for a message. If results are not checked, all ranks share the same memory, and SMPI copies nothing. */
static void *get(bool checked, int64_t bytes)
{
    void *p = checked ? malloc((size_t)bytes + 1) : SMPI_SHARED_MALLOC((size_t)bytes + 1);
    if (!p) {
        fprintf(stderr, "wind_tunnel: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static void put(bool checked, void *p)
{
    if (checked)
        free(p);
    else
        SMPI_SHARED_FREE(p);
}

/* Element i of the result over the ranks first .. last. */
static int64_t value(const struct facts *f, int64_t i, int first, int last)
{
    const union element e = {.run = {first, last}};
    return f->op == OP_ORDERED ? e.number : (2 * i + first + last) * (last - first + 1) / 2;
}

static void fill(const struct tunnel *t)
{
    const struct facts *f = t->facts;
    bool has = collective_source(f->collective, t->rank, f->root);
    for (int64_t i = 0; i < f->bytes / ELEMENT; i++) {
        t->in[i].number = value(f, i, t->rank, t->rank);
        t->out[i].number = has ? t->in[i].number : OUT_OF_ORDER;
    }
}

static bool right(const struct tunnel *t)
{
    const struct facts *f = t->facts;
    int first = 0, last = collective_last(f->collective, t->rank, f->ranks);
    if (!collective_reduces(f->collective))
        first = last = f->root;
    else if (!collective_writes(f->collective, t->rank, f->root))
        return true;
    for (int64_t i = 0; i < f->bytes / ELEMENT; i++)
        if (t->out[i].number != value(f, i, first, last))
            return false;
    return true;
}

/* ---- Ways to perform a call ---------------------------------------------------------------------------------------- */

static void native(const struct tunnel *t)
{
    const struct facts *f = t->facts;
    const int count = (int)f->units;
    if (f->collective == COLL_BCAST)
        MPI_Bcast(t->out, count, t->type, f->root, MPI_COMM_WORLD);
    else if (f->collective == COLL_REDUCE)
        MPI_Reduce(t->in, t->out, count, t->type, t->op, f->root, MPI_COMM_WORLD);
    else if (f->collective == COLL_ALLREDUCE)
        MPI_Allreduce(t->in, t->out, count, t->type, t->op, MPI_COMM_WORLD);
    else if (f->collective == COLL_SCAN)
        MPI_Scan(t->in, t->out, count, t->type, t->op, MPI_COMM_WORLD);
    else
        MPI_Exscan(t->in, t->out, count, t->type, t->op, MPI_COMM_WORLD);
}

/* Makes the operation of a plan, and gives its scratch memory to the channel. */
static void prepare(struct tunnel *t, const struct plan *plan, struct operation *o)
{
    const struct facts *f = t->facts;
    const int64_t size = f->bytes / f->units;
    *o = (struct operation){.facts = *f,
                            .datatype = t->type,
                            .plan = *plan,
                            .element = {.size = size, .extent = size, .end = size, .plain = true}};
    if (t->add != MPI_OP_NULL && f->op == OP_EXACT) {
        o->op = t->add;
        o->fold = add_to;
    }
    if (plan->engine->serves[f->collective].composed)
        operation_compose(o, &t->settings, NULL, t->channel.nodes, t->rank);
    operation_make(o, t->rank);
    t->channel.bytes = o->scratch;
    t->channel.scratch = get(t->checked, o->scratch);
}

static void perform(struct tunnel *t, const struct operation *o)
{
    const struct view v = {.in = t->facts->op == OP_NONE ? NULL : t->in,
                           .out = t->out,
                           .count = t->facts->units,
                           .datatype = t->type,
                           .op = t->op};
    if (operation_run(o, &v, &t->channel) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void magpie(const struct tunnel *t, int64_t blocks)
{
    const struct facts *f = t->facts;
    const struct wind_call c = {.wire = t->channel.mpi,
                                .machine = &t->machine,
                                .rank = t->rank,
                                .ranks = t->ranks,
                                .type = t->type,
                                .op = t->op,
                                .in = t->in,
                                .out = t->out,
                                .scratch = t->channel.scratch,
                                .units = f->units,
                                .blocks = blocks};
    if (f->collective == COLL_BCAST)
        wind_magpie_bcast(&c);
    else
        wind_magpie_reduce(&c);
}

static bool magpie_fits(const struct facts *f)
{
    return f->root == 0 && (f->collective == COLL_BCAST || (f->collective == COLL_REDUCE && f->op == OP_EXACT));
}

/* ---- The table ----------------------------------------------------------------------------------------------------- */

/* The predicted seconds of the plan's engine, with the blocks that the model gives; 0 for a plan without an engine. */
static double predicted(const struct tunnel *t, const struct plan *plan)
{
    struct offer o = {.engine = plan->engine};
    if (o.engine)
        choose_predict(&t->settings, NULL, t->facts, &o);
    return o.seconds;
}

static void print(const struct tunnel *t, const char *by, const char *engine, const struct plan *plan, double seconds,
                  bool all_right)
{
    static const char *const op[] = {[OP_NONE] = "-", [OP_EXACT] = "exact", [OP_ORDERED] = "user"};
    const struct facts *f = t->facts;
    const struct figures *g = &t->machine.machine.figures[LINK_NETWORK];
    printf("%d\t%s\t%s\t%d\t%lld\t%s\t%s\t%lld\t%.3f\t%.3f\t%.3f\t%.6f\t%s\n", f->ranks, collective_name(f->collective),
           op[f->op], f->root, (long long)f->bytes, by, engine, (long long)plan->blocks, seconds * 1e6,
           predicted(t, plan) * 1e6, g->alpha * 1e6, g->beta * 1e9,
           !t->checked ? "-"
           : all_right ? "yes"
                       : "WRONG");
    fflush(stdout); /* SMPI may give up in the next call */
}

/*
 * Performs the call once by this plan. If the plan has no blocks, the call is native; if it has blocks but no engine,
 * MagPIe's trees perform it; else the plan's engine does. Returns the seconds. *good: true if the result was right on all
 * ranks.
 */
static double perform_once(struct tunnel *t, const struct plan *plan, bool *good)
{
    const struct facts *f = t->facts;
    struct operation operation;
    t->checked = f->bytes * f->ranks <= (plan->blocks ? MOST_CHECKED : MOST_NATIVE);
    t->op = f->op == OP_ORDERED ? (t->checked ? t->join : t->join_nothing) : t->add != MPI_OP_NULL ? t->add : MPI_SUM;
    t->in = get(t->checked, f->bytes);
    t->out = get(t->checked, f->bytes);
    if (t->checked)
        fill(t);
    if (plan->engine && plan->blocks)
        prepare(t, plan, &operation);
    else
        t->channel.scratch = get(t->checked, f->bytes);
    wind_start_together();
    double start = MPI_Wtime();
    wind_memory_begin(t->checked);
    if (!plan->blocks)
        native(t);
    else if (plan->engine)
        perform(t, &operation);
    else
        magpie(t, plan->blocks);
    const double end = MPI_Wtime();
    wind_memory_end();
    double seconds = wind_seconds(start, end);
    int mine = !t->checked || right(t), all = mine;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    *good = all;
    put(t->checked, t->in);
    put(t->checked, t->out);
    put(t->checked, t->channel.scratch);
    return seconds;
}

/* Performs the call once, and prints its line, which has the names `by` and `engine`. */
static void try(struct tunnel *t, const char *by, const char *engine, const struct plan *plan)
{
    bool good;
    const double seconds = perform_once(t, plan, &good);
    if (t->rank == 0)
        print(t, by, engine, plan, seconds, good);
}

/* True if the messages that SMPI holds at once fit into memory. In a scan, a rank holds those of all lower ranks. */
static bool native_fits(const struct facts *f)
{
    return !collective_reduces(f->collective) ||
           f->bytes * f->ranks * (collective_prefix(f->collective) ? f->ranks : 1) <= MOST_NATIVE;
}

/*
 * Returns the plan of engine e, or of MagPIe if e is NULL, with blocks of `block` bytes. If `block` is 0, the engine takes
 * the model's blocks, and MagPIe whole messages. Doubling stands for MPICH's scan, so it always sends whole messages.
 */
static struct plan plan_of(const struct tunnel *t, const struct engine *e, int64_t block)
{
    const struct facts *f = t->facts;
    struct settings s = t->settings;
    if (!e)
        return (struct plan){.blocks = block ? (f->bytes + block - 1) / block : 1};
    s.block[f->collective] = strcmp(e->name, "doubling") == 0 ? f->bytes : block;
    return choose_row(&s, NULL, f, engine_row(e));
}

/*
 * Times the best number of blocks, and prints its line. Begins with the size of blocks that the model gives, and doubles it
 * until two sizes in a row are no faster than the best. Then begins anew with the model's size, and halves it likewise. All
 * ranks know the same times, so they try the same sizes.
 */
static void try_best(struct tunnel *t, const char *by, const struct engine *e)
{
    struct plan best = plan_of(t, e, 0), plan;
    const int64_t begin = (t->facts->bytes + best.blocks - 1) / best.blocks;
    bool good, all_right;
    double least = perform_once(t, &best, &all_right);
    for (int smaller = 0; smaller < 2; smaller++)
        for (int64_t block = begin, worse = 0; worse < 2;) {
            block = smaller ? block / 2 : block * 2;
            if (block < LEAST_BLOCK || block > t->facts->bytes)
                break;
            plan = plan_of(t, e, block);
            const double seconds = perform_once(t, &plan, &good);
            all_right &= good;
            worse = seconds < least ? 0 : worse + 1;
            if (seconds < least) {
                least = seconds;
                best = plan;
            }
        }
    if (t->rank == 0)
        print(t, by, e ? e->name : "magpie", &best, least, all_right);
}

/* Returns the engine that takes the place of MPICH if SMPI does not perform the call as MPICH does; else NULL. */
static const char *stand_in(const struct facts *f)
{
    if (collective_prefix(f->collective))
        return "doubling";
    const bool power = (f->ranks & (f->ranks - 1)) == 0;
    return f->collective == COLL_ALLREDUCE && f->op == OP_EXACT && power && f->machine->node_ranks == 1 ? "butterfly" : NULL;
}

static void try_auto(struct tunnel *t)
{
    struct plan plan = choose(&t->settings, NULL, t->facts);
    const char *name = plan.engine->name, *stands_for_mpich = stand_in(t->facts);
    if (!plan.blocks && stands_for_mpich)
        plan = plan_of(t, engine_find(stands_for_mpich), 0);
    if (plan.blocks || native_fits(t->facts))
        try(t, "auto", name, &plan);
}

static void try_way(struct tunnel *t, const char *way)
{
    const struct shape shape = choose_shape(t->facts, 1);
    const struct plan none = {.engine = engines[0]};
    const bool best = strncmp(way, "best:", 5) == 0;
    if (strcmp(way, "auto") == 0)
        try_auto(t);
    else if (strcmp(way, "native") == 0 && native_fits(t->facts))
        try(t, t->selection, way, &none);
    else if (strcmp(way, "best:magpie") == 0 && magpie_fits(t->facts))
        try_best(t, way, NULL);
    for (int i = 1; engines[i]; i++)
        if (best && strcmp(way + 5, engines[i]->name) == 0 && engine_fits(engines[i], &shape))
            try_best(t, way, engines[i]);
        else if ((strcmp(way, engines[i]->name) == 0 || strcmp(way, "engines") == 0) && engine_fits(engines[i], &shape)) {
            const struct plan plan = plan_of(t, engines[i], 0);
            try(t, engines[i]->name, engines[i]->name, &plan);
        }
}

/* True if the collective is in this list of names, which has commas between them. */
static bool named(const char *names, enum collective collective)
{
    const char *name = collective_name(collective), *found = strstr(names, name);
    while (found && ((found > names && found[-1] != ',') || (found[strlen(name)] && found[strlen(name)] != ',')))
        found = strstr(found + 1, name);
    return found;
}

int main(int argc, char **argv)
{
    static const struct {
        enum collective collective;
        enum op_class op;
        bool interior; /* root p/2 */
    } calls[] = {{COLL_BCAST, OP_NONE, false},      {COLL_REDUCE, OP_EXACT, false},     {COLL_REDUCE, OP_ORDERED, false},
                 {COLL_REDUCE, OP_ORDERED, true},   {COLL_SCAN, OP_EXACT, false},       {COLL_EXSCAN, OP_EXACT, false},
                 {COLL_ALLREDUCE, OP_EXACT, false}, {COLL_ALLREDUCE, OP_ORDERED, false}};
    struct tunnel t = {.selection = argc > 4 ? argv[4] : ""};
    char *no_settings[] = {NULL};
    int64_t bytes;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t.ranks);
    if (argc < 6 || !size_parse(argv[3], &bytes) || bytes <= 0 || bytes % ELEMENT || bytes > INT32_MAX) {
        if (t.rank == 0)
            fprintf(stderr, "usage: wind_tunnel wait|far|free|memory COLLECTIVE[,..] SIZE SELECTION "
                            "native|auto|engines|[best:]ENGINE...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    /* Engines may use the program's own communicator, as messages between two ranks keep their order. */
    t.channel = (struct channel){.mpi = &wind_wire, .comm = MPI_COMM_WORLD, .walk = &t.walk};
    settings_read(&t.settings, no_settings, NULL, NULL);
    MPI_Op_create(join, 0, &t.join);
    MPI_Op_create(join_nothing, 0, &t.join_nothing);
    t.add = MPI_OP_NULL;
    bool found = wind_machine_find(&t.machine);
    if (found && t.machine.site && strcmp(argv[1], "wait") != 0) {
        found = wind_wire_open(&t.machine);
        t.channel.mpi = strcmp(argv[1], "free") == 0 ? &wind_wire_free : &wind_wire_far;
    }
    if (found && strcmp(argv[1], "memory") == 0) {
        found = wind_memory_open(&t.machine, &t.channel);
        MPI_Op_create(add, 1, &t.add);
    }
    if (!found) {
        fprintf(stderr, "wind_tunnel: a host has no name like s0-h0, or memory is short\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const bool folds = calls[i].op != OP_NONE;
        const struct facts facts = {.collective = calls[i].collective,
                                    .op = calls[i].op,
                                    .ranks = t.ranks,
                                    .root = calls[i].interior ? t.ranks / 2 : 0,
                                    .bytes = bytes,
                                    .units = folds ? bytes / ELEMENT : bytes,
                                    .machine = &t.machine.machine};
        t.facts = &facts;
        t.type = folds ? MPI_INT64_T : MPI_BYTE;
        for (int way = 5; way < argc && named(argv[2], calls[i].collective); way++)
            try_way(&t, argv[way]);
    }
    wind_machine_free(&t.machine);
    MPI_Op_free(&t.join);
    MPI_Op_free(&t.join_nothing);
    MPI_Finalize();
    return 0;
}
