/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Verifies calls. First the engine writes into our memory, while an input in the application's buffer is intact; then the
 * native call into that buffer.
 *
 * Results that do not depend on the order of evaluation must have the same bits. Others may differ by rounding, with eps
 * from 1 to the next number of the type, and p ranks:
 *
 *   Sums of x_1 .. x_p: in any order, a sum is off by at most (p-1) eps/2 (|x_1| + .. + |x_p|). So two sums differ by at
 *   most p eps (|x_1| + .. + |x_p|). A third call, native, sums the magnitudes. The sum itself could not serve as the scale:
 *   if the numbers cancel, rounding can exceed it.
 *
 *   Products are off by at most p eps/2 of their value, complex products by sqrt(5) times as much. The bound
 *   4 p eps max(|a|,|b|) covers both. User operations on floating-point numbers have the same bound, as Pleach knows nothing
 *   of them.
 */
#include "verify.h"

#include "datatype.h"
#include "prepare.h"
#include "process.h"
#include "call_site.h"
#include "host_copy.h"
#include "small_stack.h"
#include "typemap.h"
#include "watch.h"
#include "words.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096, NUMBER = 64 };
enum { UNWRITTEN = 0xa5 }; /* shows unwritten bytes of a receive buffer */

struct verify {
    const struct call *call;
    const struct facts *facts;
    struct view user, engine; /* `engine`: with our receive buffer */
    bool compares;
    struct typemap *map;
    struct pattern pattern;
    struct tolerance tolerance;
    struct host_copy in, out; /* of the input, for magnitudes; of the native result */
    char *memory;
    char *magnitude, *scale; /* |x| of this rank, summed over ranks; or NULL */
    char a[CHUNK], b[CHUNK];
    char site[CALL_SITE_TEXT];
};

static _Atomic long verified, differed;

/* ---- Memory -------------------------------------------------------------------------------------------------------- */

static void release(struct verify *y)
{
    if (!y)
        return;
    typemap_free(y->map);
    host_copy_close(&y->in);
    host_copy_close(&y->out);
    free(y->memory);
    free(y->magnitude);
    free(y->scale);
    free(y);
}

static bool is_sum(const struct verify *y)
{
    return y->facts->op == OP_ROUNDS && y->user.op == MPI_SUM && y->pattern.component[0].type == NUMBER_FLOAT;
}

static bool is_extremum(MPI_Op op)
{
    return op == MPI_MIN || op == MPI_MAX || op == MPI_MINLOC || op == MPI_MAXLOC;
}

static struct verify *allocate(const struct call *c, const struct comm *comm, const struct facts *f, const struct view *v)
{
    struct verify *y = malloc(sizeof *y);
    if (!y)
        return NULL;
    memset(y, 0, sizeof *y);
    y->call = c;
    y->facts = f;
    y->user = y->engine = *v;
    y->compares = collective_writes(f->collective, comm->rank, f->root);
    y->pattern = pattern_of(v->datatype);
    struct identity type;
    type_identity(v->datatype, &type);
    y->map = typemap_new(v->count, v->datatype, &type);
    bool enough = y->map != NULL;
    if (collective_receives(f->collective, comm->rank, f->root)) {
        ptrdiff_t origin;
        const struct extents element = type_extents(v->datatype);
        const size_t span = (size_t)extents_span(&element, v->count, &origin);
        y->memory = aligned_alloc(SPAN_ALIGN, span);
        enough = enough && y->memory;
        if (y->memory) {
            memset(y->memory, UNWRITTEN, span);
            y->engine.out = displaced(y->memory, origin);
        }
    }
    if (is_sum(y)) {
        y->magnitude = malloc((size_t)f->bytes);
        y->scale = malloc((size_t)f->bytes);
        enough = enough && y->magnitude && y->scale && host_copy_open(&y->in, v->in, v);
    }
    if (y->compares)
        enough = enough && host_copy_open(&y->out, v->out, v);
    if (!enough) {
        release(y);
        return NULL;
    }
    return y;
}

bool verify_reserve(struct serving *s)
{
    enum { NO_MEMORY, MEMORY, MAGNITUDES };
    const struct comm *comm = s->comm;
    const struct facts *f = &s->decision.question.facts;
    struct verify *y = s->verify = allocate(s->call, comm, f, &s->view);
    int mine = !y ? NO_MEMORY : is_sum(y) ? MAGNITUDES : MEMORY, all = pmpi_agreed(comm->channel.comm, mine, MPI_MIN);
    if (all == NO_MEMORY)
        release(y);
    else if (f->op == OP_NONE)
        y->tolerance.alike = ALIKE_BITS;
    else if (f->op == OP_EXACT || is_extremum(y->user.op))
        y->tolerance.alike = ALIKE_VALUES; /* a minimum of 0 and -0 may be either */
    else if (all == MAGNITUDES)
        y->tolerance = (struct tolerance){ALIKE_SUM, comm->ranks};
    else
        y->tolerance = (struct tolerance){ALIKE_RELATIVE, 4.0 * comm->ranks};
    return all != NO_MEMORY;
}

/* ---- Telling ------------------------------------------------------------------------------------------------------- */

/* a: the engine's, b: native; `offset`: bytes before them. */
static void say_difference(struct verify *y, const struct plan *plan, const struct comm *comm, void *caller, int64_t offset,
                           const char *a, const char *b)
{
    static const char *const beyond[] = {[ALIKE_BITS] = "",
                                         [ALIKE_VALUES] = "",
                                         [ALIKE_RELATIVE] = ", more than 4 p eps apart",
                                         [ALIKE_SUM] = ", farther apart than p eps times the sum of all magnitudes"};
    const struct component *type = &y->pattern.component[0];
    char inside[NUMBER] = "", got[NUMBER], want[NUMBER];
    void *frame[CALL_SITE_FRAMES];
    MPI_Count element = 0;

    pmpi.Type_size_x(y->user.datatype, &element);
    int64_t rest = offset % element, pattern = pattern_bytes(&y->pattern),
            component = rest / pattern * y->pattern.components;
    if (rest % pattern) {
        component++;
        type++;
    }
    if (element > type->size)
        snprintf(inside, sizeof inside, ", %s %lld", type->type == NUMBER_OPAQUE ? "byte" : "component",
                 (long long)component);
    call_site_capture(frame, caller);
    call_site_text(frame, y->site, sizeof y->site);
    say("verify: rank %d, %s on %d ranks: element %lld%s is %s from %s, %s natively%s%s; called at %s", process.rank,
        call_name(y->facts->collective), comm->ranks, (long long)(offset / element), inside,
        component_text(type, a, got, sizeof got), plan->engine->name, component_text(type, b, want, sizeof want),
        type->type == NUMBER_FLOAT ? beyond[y->tolerance.alike] : "",
        y->facts->op == OP_ORDERED
            ? " (the user-defined operation gives equal results if it is associative and does not round)"
            : "",
        y->site);
}

/* ---- The two calls ------------------------------------------------------------------------------------------------- */

static int sum_magnitudes(const struct verify *y, const struct comm *comm)
{
    fenv_t program; /* may trap exceptions, which we raise, too */
    struct call c = *y->call;
    feholdexcept(&program);
    int unread = host_copy_fill(&y->in, &y->user);
    if (unread == MPI_SUCCESS) {
        typemap_pack(y->map, y->in.data, 0, y->facts->bytes, y->magnitude);
        make_magnitudes(&y->pattern, y->magnitude, y->facts->bytes);
    }
    c.in = y->magnitude;
    c.out = y->scale;
    c.comm = (argument)comm->channel.comm;
    int error = native(&c); /* after an error, too: others wait */
    fesetenv(&program);
    return unread != MPI_SUCCESS ? unread : error;
}

static void compare_results(struct verify *y, const struct plan *plan, const struct comm *comm, void *caller)
{
    fenv_t program;
    char *const a = y->a, *const b = y->b;
    int64_t step = CHUNK / pattern_bytes(&y->pattern) * pattern_bytes(&y->pattern), bytes = y->facts->bytes, found = -1;
    feholdexcept(&program);
    for (int64_t offset = 0; offset < bytes && found < 0; offset += step) {
        int64_t size = bytes - offset < step ? bytes - offset : step;
        typemap_pack(y->map, y->engine.out, offset, size, a);
        typemap_pack(y->map, y->out.data, offset, size, b);
        found = first_difference(&y->pattern, y->tolerance, a, b, y->scale ? y->scale + offset : NULL, size);
        if (found >= 0 && atomic_fetch_add(&differed, 1) == 0)
            say_difference(y, plan, comm, caller, offset + found, a + found, b + found);
    }
    fesetenv(&program);
}

int verify_call(struct serving *s)
{
    struct comm *comm = s->comm;
    struct verify *y = s->verify;
    int failed = perform(s->operation, &y->engine, comm);
    if (!comm_stands(comm, (MPI_Comm)s->call->comm, failed)) {
        release(y);
        return failed;
    }
    watch_phase(s->watched, PHASE_NATIVE, NULL);
    int unscaled = y->tolerance.alike == ALIKE_SUM ? sum_magnitudes(y, comm) : MPI_SUCCESS;
    int error = native_mended(s->call, comm, y->facts, engines[0], false);
    const bool good = error == MPI_SUCCESS && failed == MPI_SUCCESS && unscaled == MPI_SUCCESS;
    if (good && y->compares && host_copy_fill(&y->out, &y->user) == MPI_SUCCESS) {
        atomic_fetch_add(&verified, 1);
        compare_results(y, &s->decision.plan, comm, s->caller);
    }
    release(y);
    return error == MPI_SUCCESS ? failed : error;
}

/* ---- Exact sums ------------------------------------------------------------------------------------------------------ */

struct verify_exact {
    struct pattern pattern; /* of a real number; complex: two */
    int64_t bytes;
    char site[CALL_SITE_TEXT];
    char *numbers, *plain, *scale; /* contributed; summed natively; magnitudes, summed */
    bool good;                     /* no error */
};

static struct verify_exact *allocate_exact(const struct exact *x)
{
    struct verify_exact *v = malloc(sizeof *v);
    const int size = x->same.type == REAL_FLOAT ? (int)sizeof(float) : (int)sizeof(double);
    if (!v)
        return NULL;
    v->pattern = (struct pattern){1, false, {{NUMBER_FLOAT, size}}};
    v->bytes = x->numbers * size;
    v->numbers = malloc(3 * (size_t)v->bytes);
    v->plain = v->numbers + v->bytes;
    v->scale = v->plain + v->bytes;
    if (v->numbers)
        return v;
    free(v);
    return NULL;
}

static void free_exact(struct verify_exact *v)
{
    if (v)
        free(v->numbers);
    free(v);
}

/* With other buffers. Our sums must not trap exceptions. */
static int sum_natively(const struct call *c, const void *in, void *out)
{
    fenv_t program;
    struct call own = *c;
    own.in = in;
    own.out = out;
    feholdexcept(&program);
    const int error = native(&own);
    fesetenv(&program);
    return error;
}

struct verify_exact *verify_exact_begin(const struct exact *x, const struct call *c)
{
    struct verify_exact *v = allocate_exact(x);
    if (!pmpi_agreed(x->comm->user, v != NULL, MPI_MIN)) {
        free_exact(v);
        return NULL;
    }
    if (x->unread == MPI_SUCCESS)
        memcpy(v->numbers, x->source.data, (size_t)v->bytes);
    v->good = sum_natively(c, v->numbers, v->plain) == MPI_SUCCESS;
    make_magnitudes(&v->pattern, v->numbers, v->bytes);
    v->good = sum_natively(c, v->numbers, v->scale) == MPI_SUCCESS && v->good && x->unread == MPI_SUCCESS;
    return v;
}

static void say_inexact(struct verify_exact *v, const struct exact *x, void *caller, int64_t at)
{
    char got[NUMBER], want[NUMBER];
    void *frame[CALL_SITE_FRAMES];
    call_site_capture(frame, caller);
    call_site_text(frame, v->site, sizeof v->site);
    const struct component *type = &v->pattern.component[0];
    say("verify: rank %d, %s on %d ranks: number %lld is %s exactly, %s natively, farther apart than p eps times the sum of "
        "all magnitudes; called at %s",
        process.rank, call_name(x->sum.collective), x->comm->ranks, (long long)(at / type->size),
        component_text(type, (const char *)x->result.data + at, got, sizeof got),
        component_text(type, v->plain + at, want, sizeof want), v->site);
}

void verify_exact_end(struct verify_exact *v, const struct exact *x, void *caller)
{
    fenv_t program;
    if (v && v->good && x->writes && x->error == MPI_SUCCESS) {
        const struct tolerance t = {ALIKE_SUM, x->comm->ranks};
        feholdexcept(&program);
        const int64_t at = first_difference(&v->pattern, t, x->result.data, v->plain, v->scale, v->bytes);
        atomic_fetch_add(&verified, 1);
        if (at >= 0 && atomic_fetch_add(&differed, 1) == 0)
            say_inexact(v, x, caller, at);
        fesetenv(&program);
    }
    free_exact(v);
}

void verify_report(void)
{
    if (!process.settings.verify)
        return;
    if (differed > 0)
        say("verify: rank %d: %ld of %ld verified calls differed", process.rank, (long)differed, (long)verified);
    else if (process.rank == 0 && verified > 0)
        say("verify: rank 0: none of %ld verified calls differed", (long)verified);
    else if (process.rank == 0)
        say("verify: rank 0: no engine gave it a result, so no call was verified");
}
