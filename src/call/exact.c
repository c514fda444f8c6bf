/* SPDX-License-Identifier: BSD-2-Clause */
/* See exact.h. */
#include "exact.h"

#include "handles.h"
#include "othercalls.h"
#include "own_memory.h"
#include "process.h"
#include "report.h"
#include "self_comm.h"
#include "seconds.h"
#include "small_stack.h"

#include <stdatomic.h>
#include <string.h>

/* Words: messages up to `whole` are one call with the full range. Others are cut into parts; on a node, caches hold one. */
struct lengths {
    int64_t whole, part;
};
enum { PART = 1 << 18, BLOCK = 1 << 12 /* numbers */, BLOCKS = PART / 2 / BLOCK, PAUSE = 16 /* calls */, WORDS_OF_LINE = 8 };
static const struct lengths near = {1 << 9, 1 << 15}, far = {1 << 12, PART};

/* For a process or, with several threads, a communicator. */
struct exact_memory {
    int64_t in[PART], out[PART];
    struct bit_range range[BLOCKS];
};

/* ---- May sums be exact? ---------------------------------------------------------------------------------------------- */

/* Row of the report; words of the line, or NULL. */
struct plain {
    const char *row, *why;
};
static const struct plain disabled = {"plain sums: disabled", "PLEACH_DISABLE is set"},
                          dry_run = {"plain sums: dry run", "PLEACH_DRY_RUN is set"},
                          too_long = {"plain sums: between groups", "a reduction between two groups is too long"},
                          not_compared = {"plain sums: settings", "the ranks have not compared their settings"},
                          no_memory = {"plain sums: no memory", "some rank has no memory for them"},
                          other_type = {"plain sums: datatype", NULL}, product = {"plain products", NULL},
                          other_operation = {"plain: the program's operation", NULL};

/* And how many an element has. REALS: none that can be exact. */
static enum real numbers_of(const struct call *c, int *parts)
{
    int row;
    const enum kernel_type type = (MPI_Op)c->op == MPI_SUM ? type_kernel((MPI_Datatype)c->datatype, &row) : KERNEL_TYPES;
    *parts = type == KERNEL_C32 || type == KERNEL_C64 ? 2 : 1;
    return type == KERNEL_F32 || type == KERNEL_C32   ? REAL_FLOAT
           : type == KERNEL_F64 || type == KERNEL_C64 ? REAL_DOUBLE
                                                      : REALS;
}

/* NULL: it does not round, or not as a sum does. */
static const struct plain *unlike(const struct call *c, const struct facts *f)
{
    const MPI_Op op = (MPI_Op)c->op;
    return f->op == OP_ORDERED                    ? &other_operation
           : f->op == OP_ROUNDS && op == MPI_SUM  ? &other_type
           : f->op == OP_ROUNDS && op == MPI_PROD ? &product
                                                  : NULL;
}

static bool between(const struct comm *c)
{
    return c->known.barred == REASON_INTERCOMM;
}

/* On this communicator, the same on all ranks; or NULL. */
static const struct plain *obstacle(const struct comm *c)
{
    const struct settings *s = &process.settings;
    if (s->disable)
        return &disabled;
    if (s->dry_run)
        return &dry_run;
    const bool compared = between(c)      ? group_info_compared(c->user)
                          : c->ranks == 1 ? s->bad[0] == 0
                                          : c->locality.info->compared;
    return compared ? NULL : &not_compared;
}

static void tell(const struct comm *c, const struct plain *p)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (c->rank == 0 && !atomic_flag_test_and_set(&said))
        say("sums on %d rank%s are plain, although PLEACH_SUMS asks for exact ones: %s", c->ranks, plural(c->ranks), p->why);
}

static struct exact_memory *all; /* for communicators with one thread at a time; by exact_open() */

bool exact_open(void)
{
    bool any = false;
    for (int c = 0; c < COLLECTIVES; c++)
        any = any || process.settings.exact[c];
    if (any && !all)
        all = own_memory(sizeof *all);
    return !any || all;
}

/*
 * For all sums on this communicator. Collective, unless there is an obstacle. Between groups nobody can ask; but all have
 * memory, as they have compared settings.
 */
static void settle(struct comm *c, const struct plain *p)
{
    const bool threaded = c->locality.info ? c->locality.info->asked : !between(c) && process_threaded();
    struct exact_memory *memory = all;
    if (!p && threaded)
        memory = c->exact.own = own_memory(sizeof *memory);
    if (!p && !between(c) && !pmpi_agreed(c->user, memory && !c->listed.loose, MPI_MIN))
        p = &no_memory;
    c->exact.plain = p;
    c->exact.memory = p ? NULL : memory;
    if (p)
        tell(c, p);
}

/* ---- The parts of a call --------------------------------------------------------------------------------------------- */

/* Of number i. Returns how many from there on have the same, within `room` words. */
static int64_t alike(const struct exact *x, int64_t i, int64_t room, struct digits *d)
{
    const int64_t block = (i - x->first) / BLOCK, next = x->first + (block + 1) * BLOCK;
    const int64_t end = x->which != DIGITS_FULL && next < x->agreed ? next : x->agreed;
    *d = x->which == DIGITS_AGREED ? digits_window(x->same.type, x->comm->ranks, &x->range[block]) : x->same;
    return end - i < room / digits_size(d) ? end - i : room / digits_size(d);
}

static int64_t bytes_of(const struct exact *x, int64_t numbers)
{
    return numbers * (x->same.type == REAL_FLOAT ? (int64_t)sizeof(float) : (int64_t)sizeof(double));
}

/* From i on; NaNs if they cannot be read, so that no rank takes the sum for good. */
static const void *numbers_at(const struct exact *x, int64_t i, int64_t n)
{
    return x->unread ? memset(x->out, 0xff, (size_t)bytes_of(x, n)) : (const char *)x->source.data + bytes_of(x, i);
}

/*
 * Begins the agreement on the next blocks, which mostly are one part. A prefix is -0 only if rank 0's number is, so others
 * do not decide.
 */
static void begin_agreement(struct exact *x)
{
    const bool follows = collective_prefix(x->sum.collective) && x->comm->rank > 0;
    struct bit_range *r = x->range;
    x->which = DIGITS_AGREED;
    x->first = x->done;
    x->agreed = x->numbers - x->done < x->room / 2 ? x->numbers : x->done + x->room / 2;
    for (int64_t i = x->first; i < x->agreed; i += BLOCK, r++) {
        const int64_t n = x->agreed - i < BLOCK ? x->agreed - i : BLOCK;
        *r = x->unread ? (struct bit_range){.marks = 2} : digits_range(x->same.type, numbers_at(x, i, n), n);
        r->marks = follows && r->marks == 1 ? 0 : r->marks;
    }
    x->part = (struct call){.collective = COLL_ALLREDUCE,
                            .in = MPI_IN_PLACE,
                            .out = x->range,
                            .count = (r - x->range) * (argument)(sizeof *r / sizeof(int64_t)),
                            .datatype = (argument)MPI_INT64_T,
                            .op = (argument)MPI_MAX,
                            .comm = x->sum.comm};
}

/* The next guesses. */
static void learn(struct exact *x)
{
    struct exact_sums *e = &x->comm->exact;
    for (int64_t i = x->first; i < x->agreed; i += BLOCK) {
        const struct bit_range *r = &x->range[(i - x->first) / BLOCK];
        x->seen.high = r->high > x->seen.high ? r->high : x->seen.high;
        x->seen.depth = r->depth > x->seen.depth ? r->depth : x->seen.depth;
        x->seen.marks = r->marks > x->seen.marks ? r->marks : x->seen.marks;
    }
    e->guess[x->same.type] = digits_guess(x->same.type, x->comm->ranks, &x->seen);
    e->pause = e->guess[x->same.type].words ? e->pause : PAUSE;
}

/*
 * The last word of a guessed part counts the ranks whose part has no -0, and by MISSED those whose numbers the digits do not
 * hold. If no rank is counted, a sum may be -0.
 */
static const int64_t MISSED = INT64_C(1) << 31;

static bool guess_right(const struct exact *x)
{
    const int64_t word = x->out[x->part.count - 1];
    return word > 0 && word < MISSED;
}

static int64_t fill(struct exact *x)
{
    const bool guessed = x->which == DIGITS_GUESSED;
    bool held = true, zeros = false;
    struct digits d;
    int64_t used = 0;
    x->first = guessed ? x->done : x->first;
    for (int64_t i = x->done, n; i < x->agreed && (n = alike(x, i, x->room - used, &d)) > 0; i += n) {
        bool zero = false;
        if (guessed)
            held &= digits_try(&d, numbers_at(x, i, n), n, x->in + used, &zero);
        else if (x->reads)
            digits_put(&d, numbers_at(x, i, n), n, x->in + used);
        zeros |= zero;
        used += n * digits_size(&d);
    }
    if (!held)
        memset(x->in, 0, (size_t)used * sizeof *x->in);
    if (guessed && used > 0)
        x->in[used++] = !zeros + (held ? 0 : MISSED);
    return used;
}

static void take(struct exact *x, int64_t used)
{
    struct digits d;
    for (int64_t at_word = 0, n; at_word < used; x->done += n, at_word += n * digits_size(&d)) {
        n = alike(x, x->done, used - at_word, &d);
        if (x->writes)
            digits_get(&d, x->out + at_word, n, (char *)x->result.data + bytes_of(x, x->done));
    }
}

/* ---- A call ---------------------------------------------------------------------------------------------------------- */

struct part_in_sum {
    bool reads, writes;
    int ranks; /* most that contribute to a result */
};

/* Between groups, where MPI looks only at buffers that it needs. False: invalid. */
static bool part_between(const struct call *c, const struct comm *comm, struct part_in_sum *part)
{
    int others = 0;
    pmpi.Comm_remote_size(comm->user, &others);
    const bool rooted = collective_rooted(c->collective), root = rooted && (int)c->root == MPI_ROOT;
    const int64_t count = call_count(c);
    *part = (struct part_in_sum){!root, !rooted || root, others > comm->ranks ? others : comm->ranks};
    return count > 0 && (!rooted || root || ((int)c->root >= 0 && (int)c->root < others)) &&
           (!part->reads || buffer_valid(c->in, count, (MPI_Datatype)c->datatype)) &&
           (!part->writes || buffer_valid(c->out, count, (MPI_Datatype)c->datatype));
}

/* False: invalid, or nothing to sum. */
static bool part_of(const struct call *c, struct comm *comm, const struct facts *f, struct part_in_sum *part)
{
    if (between(comm))
        return part_between(c, comm, part);
    *part = (struct part_in_sum){true, collective_writes(c->collective, comm->rank, f->root), comm->ranks};
    return call_count(c) > 0 && still_valid(c, comm, f);
}

/* A rank without memory for them takes part all the same. */
static void open_copies(struct exact *x)
{
    const bool have = (!x->reads || host_copy_open(&x->source, x->view.in, &x->view)) &&
                      (!x->writes || host_copy_open(&x->result, x->view.out, &x->view));
    x->unread = !have ? MPI_ERR_NO_MEM : x->reads ? host_copy_fill(&x->source, &x->view) : MPI_SUCCESS;
    x->writes &= have;
}

/* NULL: serve the call as it is. */
static struct exact_memory *memory_of(const struct call *c, struct comm *comm, enum real type, const struct facts *f,
                                      struct part_in_sum *part)
{
    struct exact_sums *e = &comm->exact;
    const struct plain *p = type == REALS ? unlike(c, f) : e->memory ? NULL : e->plain ? e->plain : obstacle(comm);
    const bool sum = type != REALS && !p && part_of(c, comm, f, part);
    if (type != REALS && !e->memory && !e->plain && (sum || p)) {
        settle(comm, p);
        p = e->plain;
    }
    if (p && report_on())
        othercalls_add(p->row, (double)f->bytes, 0);
    return sum ? e->memory : NULL;
}

/* Between groups a reduction is one call: ranks that MPI asks for nothing could not follow. */
static bool too_long_between(const struct exact *x)
{
    const bool is = between(x->comm) && collective_rooted(x->sum.collective) && x->numbers > PART / digits_size(&x->same);
    if (is)
        tell(x->comm, &too_long);
    if (is && report_on())
        othercalls_add(too_long.row, (double)bytes_of(x, x->numbers), 0);
    return is;
}

/* The same on all ranks. */
static void choose_digits(struct exact *x, bool is_short)
{
    struct exact_sums *e = &x->comm->exact;
    const struct digits *guess = &e->guess[x->same.type];
    const bool all = !between(x->comm) && x->sum.collective == COLL_ALLREDUCE, guesses = all && e->pause == 0;
    e->pause -= all && e->pause > 0;
    x->which = between(x->comm) || (is_short && !guesses) ? DIGITS_FULL
               : guesses && guess->words                  ? DIGITS_GUESSED
                                                          : DIGITS_AGREED;
    x->agreed = x->which == DIGITS_AGREED ? 0 : x->numbers;
    if (x->which == DIGITS_GUESSED) {
        x->same = *guess;
        x->room -= WORDS_OF_LINE;
    }
}

bool exact_begin(struct exact *x, const struct call *c, struct comm *comm)
{
    int parts;
    struct facts f;
    struct part_in_sum part;
    const double start = report_on() ? seconds_now() : 0;
    const enum real type = numbers_of(c, &parts);
    if ((between(comm) && collective_rooted(c->collective) && (int)c->root == MPI_PROC_NULL) ||
        describe(c, comm, &f) == REASON_INVALID)
        return false;
    struct exact_memory *memory = memory_of(c, comm, type, &f, &part);
    if (!memory)
        return false;
    *x = (struct exact){.sum = *c,
                        .comm = comm,
                        .view = {.in = c->in == MPI_IN_PLACE ? c->out : c->in,
                                 .out = c->out,
                                 .count = call_count(c),
                                 .datatype = (MPI_Datatype)c->datatype},
                        .same = digits_full(type, part.ranks),
                        .numbers = parts * call_count(c),
                        .in = memory->in,
                        .out = memory->out,
                        .reads = part.reads,
                        .writes = part.writes};
    if (too_long_between(x))
        return false;
    open_copies(x);
    const struct lengths *e = comm->known.machine.one_node ? &near : &far;
    x->room = between(comm) ? PART : e->part;
    x->range = memory->range;
    choose_digits(x, x->numbers <= e->whole / digits_size(&x->same));
    x->sum.large = false;
    x->sum.in = x->in;
    x->sum.out = x->out;
    x->sum.datatype = (argument)MPI_INT64_T;
    x->seconds = report_on() ? seconds_now() - start : 0;
    return true;
}

/* Takes the last part's result. */
static void end_part(struct exact *x)
{
    const bool guessed = x->which == DIGITS_GUESSED && x->part.count > 0;
    if (x->agreeing)
        learn(x);
    else if (guessed && !guess_right(x)) {
        x->comm->exact.pause = PAUSE;
        x->agreed = x->done;
    } else
        take(x, x->part.count - guessed);
}

bool exact_next(struct exact *x)
{
    const double start = report_on() ? seconds_now() : 0;
    if (x->error != MPI_SUCCESS)
        return false;
    end_part(x);
    x->agreeing = x->done == x->agreed && x->done < x->numbers;
    if (x->agreeing)
        begin_agreement(x);
    else {
        x->part = x->sum;
        x->part.count = fill(x);
    }
    x->seconds += report_on() ? seconds_now() - start : 0;
    return x->part.count > 0;
}

int exact_end(struct exact *x)
{
    int error = x->error;
    if (error == MPI_SUCCESS && x->unread != MPI_SUCCESS)
        pmpi.Comm_call_errhandler(x->comm->user, error = x->unread);
    else if (error == MPI_SUCCESS && x->writes)
        error = host_copy_empty(&x->result, &x->view);
    host_copy_close(&x->source);
    host_copy_close(&x->result);
    if (report_on())
        othercalls_add("exact sums, beside their calls", (double)bytes_of(x, x->numbers), x->seconds);
    return error;
}
