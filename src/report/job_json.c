/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job as JSON; see job_fields.h. */
#include "job_fields.h"
#include "rank_report_values.h"
#include "writers.h"

#include <inttypes.h>
#include <string.h>

/* ---- Fields ---------------------------------------------------------------------------------------------------------- */

#define TALLY(type, member, prefix)                                                                                         \
    {prefix "calls", JOB_COUNT, offsetof(type, member.calls)}, {prefix "bytes", JOB_DOUBLE, offsetof(type, member.bytes)},  \
        {prefix "seconds", JOB_DOUBLE, offsetof(type, member.seconds)},                                                     \
        {prefix "min_s", JOB_DOUBLE, offsetof(type, member.least)},                                                         \
        {prefix "max_s", JOB_DOUBLE, offsetof(type, member.most)},                                                          \
        {prefix "first_s", JOB_DOUBLE, offsetof(type, member.first)},                                                       \
        {prefix "native_s", JOB_DOUBLE, offsetof(type, member.native)},                                                     \
        {prefix "engine_s", JOB_DOUBLE, offsetof(type, member.engine)},                                                     \
        {prefix "predicted_s", JOB_DOUBLE, offsetof(type, member.predicted)},                                               \
    {                                                                                                                       \
        prefix "noise_s", JOB_DOUBLE, offsetof(type, member.noise)                                                          \
    }

#define HEAD(field) offsetof(struct job, field)
const struct job_field job_head[] = {
    {"command", JOB_WORD, HEAD(command)},
    {"pleach", JOB_WORD, HEAD(pleach)},
    {"mpi", JOB_WORD, HEAD(mpi)},
    {"settings", JOB_WORD, HEAD(settings)},
    {"figures", JOB_WORD, HEAD(note)},
    {"unshared", JOB_WORD, HEAD(unshared)},
    {"log", JOB_WORD, HEAD(log)},
    {"ranks", JOB_INT, HEAD(ranks)},
    {"reported", JOB_INT, HEAD(reported)},
    {"nodes", JOB_INT, HEAD(nodes)},
    {"own", JOB_TRUTH, HEAD(own)},
    {"crowded", JOB_TRUTH, HEAD(crowded)},
    {"dry", JOB_TRUTH, HEAD(dry)},
    {"ended", JOB_END, HEAD(end)},
    {"began", JOB_DOUBLE, HEAD(began)},
    {"elapsed_s", JOB_DOUBLE, HEAD(elapsed)},
    {"run_s", JOB_DOUBLE, HEAD(run)},
    {"measuring_s", JOB_DOUBLE, HEAD(measuring)},
    {"learned", JOB_INT, HEAD(learned)},
    {"trials_s", JOB_DOUBLE, HEAD(lost)},
    {"faults", JOB_DOUBLE, HEAD(faults)},
    {"faults_s", JOB_DOUBLE, HEAD(faulted)},
    {"waited", JOB_DOUBLE, HEAD(waited)},
    TALLY(struct job, all, ""),
    {0},
};

#define GROUP(field) offsetof(struct job_group, field)
const struct job_field job_group[] = {
    {"collective", JOB_COLLECTIVE, GROUP(collective)},
    {"up_to", JOB_CLASS, GROUP(size)},
    {"engine", JOB_ENGINE, GROUP(engine)},
    {"would", JOB_ENGINE, GROUP(would)},
    {"reason", JOB_REASON, GROUP(reason)},
    {"site", JOB_WORD, GROUP(site)},
    {"source", JOB_WORD, GROUP(source)},
    {"ranks", JOB_INT, GROUP(ranks)},
    TALLY(struct job_group, tally, ""),
    {"most_s", JOB_DOUBLE, GROUP(most)},
    {"most_rank", JOB_INT, GROUP(most_rank)},
    {"waited", JOB_DOUBLE, GROUP(waited)},
    {"whole_s", JOB_DOUBLE, GROUP(whole)},
    TALLY(struct job_group, engines, "served_"),
    TALLY(struct job_group, modelled, "modelled_"),
    TALLY(struct job_group, tried, "tried_"),
    {"own", JOB_ENGINE, GROUP(own.engine)},
    {"own_share", JOB_DOUBLE, GROUP(own.share)},
    {0},
};

#define RANK(field) offsetof(struct job_rank, field)
const struct job_field job_ranks[] = {
    {"rank", JOB_INT, RANK(rank)},
    {"host", JOB_WORD, RANK(host)},
    {"ended", JOB_END, RANK(end)},
    {"calls", JOB_COUNT, RANK(calls)},
    {"seconds", JOB_DOUBLE, RANK(seconds)},
    {"elapsed_s", JOB_DOUBLE, RANK(elapsed)},
    {"run_s", JOB_DOUBLE, RANK(run)},
    {"waited", JOB_DOUBLE, RANK(waited)},
    {"late_calls", JOB_DOUBLE, RANK(late_calls)},
    {"late_s", JOB_DOUBLE, RANK(late)},
    {0},
};

const struct job_field job_others[] = {
    {"calls", JOB_COUNT, offsetof(struct rank_other, calls)},
    {"bytes", JOB_DOUBLE, offsetof(struct rank_other, bytes)},
    {"seconds", JOB_DOUBLE, offsetof(struct rank_other, seconds)},
    {0},
};

const struct job_field job_calls[] = {
    {"collective", JOB_COLLECTIVE, offsetof(struct job_call, collective)},
    {"bytes", JOB_COUNT, offsetof(struct job_call, bytes)},
    {"engine", JOB_ENGINE, offsetof(struct job_call, engine)},
    {"reason", JOB_REASON, offsetof(struct job_call, reason)},
    {"site", JOB_WORD, offsetof(struct job_call, site)},
    {"stands_for", JOB_COUNT, offsetof(struct job_call, each)},
    {0},
};

const char *const job_lists[DIMENSIONS] = {[BY_COLLECTIVE] = "collectives",
                                           [BY_SIZE] = "sizes",
                                           [BY_SERVICE] = "engines",
                                           [BY_SITE] = "sites",
                                           [BY_SIZE_AND_SITE] = "sizes_of_sites"};

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

/* A value of a field: a text, a whole number or another one. */
struct value_written {
    const char *word;
    bool whole, missing;
    int64_t number;
    double x;
};

static struct value_written value_of(const struct job_field *m, const void *of)
{
    const void *at = (const char *)of + m->where;
    struct value_written v = {0};
    switch (m->type) {
    case JOB_WORD:
        v.word = *(const char *const *)at;
        v.missing = !v.word;
        break;
    case JOB_COLLECTIVE:
        v.word = collective_name(*(const enum collective *)at);
        break;
    case JOB_ENGINE:
        v.word = engines[*(const int *)at]->name;
        break;
    case JOB_REASON:
        v.word = reason_word(*(const enum reason *)at);
        break;
    case JOB_END:
        v.word = rank_end_word((int)*(const enum rank_end *)at);
        break;
    case JOB_CLASS:
        v.missing = *(const int *)at < 0;
        v.number = v.missing ? 0 : INT64_C(1) << *(const int *)at;
        v.whole = true;
        break;
    case JOB_TRUTH:
        v.missing = !*(const bool *)at;
        v.number = v.whole = true;
        break;
    case JOB_INT:
        v.number = *(const int *)at;
        v.whole = true;
        break;
    case JOB_COUNT:
        v.number = *(const int64_t *)at;
        v.missing = v.number == 0;
        v.whole = true;
        break;
    case JOB_DOUBLE:
        v.x = *(const double *)at;
        v.missing = v.x == 0;
    }
    return v;
}

/* Writes the fields that are not missing, and not of the types of `skip`. `separator` comes before the first one. */
static void put_fields(FILE *f, const char *separator, const struct job_field *field, const void *of, unsigned skip)
{
    for (const struct job_field *m = field; m->name; m++) {
        const struct value_written v = value_of(m, of);
        if (v.missing || skip >> m->type & 1)
            continue;
        fprintf(f, "%s\"%s\": ", separator, m->name);
        if (v.word)
            json_text(f, v.word);
        else if (v.whole)
            fprintf(f, m->type == JOB_TRUTH ? "true" : "%" PRId64, v.number);
        else if (v.x < 0)
            fputs("null", f);
        else
            json_number(f, v.x);
        separator = ", ";
    }
}

/* ---- The report ------------------------------------------------------------------------------------------------------ */

static void put_times(FILE *f, const struct histogram *h)
{
    const char *separator = ", \"times\": [";
    for (struct histogram_bin b = {.number = -1}; histogram_next(h, &b); separator = ", ")
        fprintf(f, "%s[%" PRId64 ", %" PRId64 "]", separator, b.ns, b.times);
    if (h)
        putc(']', f);
}

/* Do ranks or communicators stand as sites? Then collectives do not count, and there is no other list. */
static bool by_other(const struct job *j)
{
    return j->log && strcmp(j->log, "site") != 0;
}

static void put_groups(FILE *f, const struct job *j, int d)
{
    const unsigned served = 1u << JOB_ENGINE | 1u << JOB_REASON;
    const unsigned skip = (d == BY_SERVICE ? 0 : served) | (by_other(j) ? 1u << JOB_COLLECTIVE : 0);
    fprintf(f, ",\n\"%s\": [", job_lists[d]);
    for (const struct job_group *g = j->group[d]; g < j->group[d] + j->groups[d]; g++) {
        fputs(g == j->group[d] ? "\n{" : ",\n{", f);
        put_fields(f, "", job_group, g, skip);
        put_times(f, g->times);
        putc('}', f);
    }
    putc(']', f);
}

static void put_call(FILE *f, const struct job *j, const struct job_call *c)
{
    const struct job_moment *m = &j->moment[c->first];
    put_fields(f, "{", job_calls, c, 0);
    fputs(", \"ranks\": [", f);
    for (int i = 0; i < c->ranks; i++)
        fprintf(f, i ? ", %d" : "%d", m[i].rank);
    fputs("], \"start_ns\": [", f);
    for (int i = 0; i < c->ranks; i++)
        fprintf(f, i ? ", %" PRId64 : "%" PRId64, job_ns(m[i].start));
    fputs("], \"ns\": [", f);
    for (int i = 0; i < c->ranks; i++)
        fprintf(f, i ? ", %" PRId64 : "%" PRId64, job_ns(m[i].seconds));
    fputs("]}", f);
}

bool job_json(const struct job *j, FILE *f)
{
    fprintf(f, "{\"" JOB_JSON_NAME "\": %d,\n\"run\": {", JOB_JSON_VERSION);
    put_fields(f, "", job_head, j, 0);
    putc('}', f);
    for (int d = 0; d < DIMENSIONS; d++)
        if (d == BY_SITE || !by_other(j))
            put_groups(f, j, d);
    fputs(",\n\"ranks\": [", f);
    for (int i = 0; i < j->reported; i++) {
        put_fields(f, i ? ",\n{" : "\n{", job_ranks, &j->rank[i], 0);
        putc('}', f);
    }
    fputs("],\n\"others\": [", f);
    for (int i = 0; i < j->others; i++) {
        fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", f);
        json_text(f, j->other[i].name);
        put_fields(f, ", ", job_others, &j->other[i], 0);
        putc('}', f);
    }
    fputs("],\n\"calls\": [", f);
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++) {
        fputs(c == j->call ? "\n" : ",\n", f);
        put_call(f, j, c);
    }
    fputs("],\n\"frames\": [", f);
    for (int i = 0; i < j->frames; i++) {
        fputs(i ? ",\n" : "\n", f);
        json_text(f, j->frame[i]);
    }
    fputs("]}\n", f);
    return !ferror(f);
}
