/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes calls in Chrome's trace event format; see trace.h. */
#include "trace.h"

#include "engine.h"
#include "writers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Times of events are in microseconds. */
static void put_micros(FILE *f, const char *name, double seconds)
{
    fprintf(f, ", \"%s\": ", name);
    json_number(f, round(1e9 * seconds) / 1e3);
}

void trace_begin(FILE *f, const char *command, const char *note)
{
    fputs("{\"displayTimeUnit\": \"ms\", \"otherData\": {\"note\": ", f);
    json_text(f, note);
    fputs("}, \"traceEvents\": [\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"name\": ", f);
    json_text(f, *command ? command : "MPI program");
    fputs("}}", f);
}

void trace_rank(FILE *f, int rank, const char *host)
{
    char name[128];
    snprintf(name, sizeof name, "rank %d%s%s", rank, *host ? ", " : "", host);
    fprintf(f, ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": %d, \"args\": {\"name\": ", rank);
    json_text(f, name);
    fputs("}}", f);
}

void trace_call(FILE *f, const struct traced *c)
{
    fprintf(f, ",\n{\"name\": \"%s\", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": 0, \"tid\": %d",
            collective_name(c->collective), engines[c->engine]->name, c->rank);
    put_micros(f, "ts", c->start);
    put_micros(f, "dur", c->seconds);
    fprintf(f, ", \"args\": {\"bytes\": %" PRId64 ", \"engine\": \"%s\", \"reason\": \"%s\"", c->bytes,
            engines[c->engine]->name, reason_word(c->reason));
    if (c->would != c->engine)
        fprintf(f, ", \"would\": \"%s\"", engines[c->would]->name);
    if (c->waited >= 0)
        put_micros(f, "waited_us", c->waited);
    if (c->stands_for > 1)
        fprintf(f, ", \"stands_for\": %" PRId64, c->stands_for);
    if (c->site) {
        fputs(", \"site\": ", f);
        json_text(f, c->site);
    }
    fputs("}}", f);
}

void trace_end(FILE *f)
{
    fputs("\n]}\n", f);
}

bool job_trace(const struct job *j, FILE *f)
{
    bool sampled = false;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        sampled |= c->each > 1;
    trace_begin(f, j->command,
                sampled ? "A report keeps a sample of calls: stands_for is the number of calls that a slice stands for. The "
                          "logs of PLEACH_LOG have all calls."
                        : "");
    for (const struct job_rank *r = j->rank; r < j->rank + j->reported; r++)
        trace_rank(f, r->rank, r->host);
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++)
            trace_call(f, &(struct traced){m->rank, m->start, m->seconds, m->waited, c->collective, c->bytes, c->each,
                                           c->engine, c->engine, c->reason, c->site});
    trace_end(f);
    return !ferror(f);
}
