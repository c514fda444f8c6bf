/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Merges rank reports; see job.h. A rank report is added in two steps. The first step allocates all memory that the second
 * may need; the second step counts, and cannot fail.
 */
#include "hash.h"
#include "merge.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct merge *job_begin(void)
{
    struct merge *j = calloc(1, sizeof *j);
    if (j)
        j->job.command = j->job.pleach = j->job.mpi = j->job.settings = j->job.note = j->job.unshared = "";
    return j;
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* Copies the texts of a rank report. Afterwards keep_text() of these texts cannot fail. */
static bool keep_texts(struct merge *j, const struct rank_report *p)
{
    bool good = keep_text(j, "") && keep_text(j, p->host) && keep_text(j, p->command) && keep_text(j, p->pleach) &&
                keep_text(j, p->mpi) && keep_text(j, p->settings) && keep_text(j, p->note) && keep_text(j, p->unshared);
    good = good && array_reserve(&j->site, &j->site_room, p->sites + 1, sizeof *j->site);
    for (int i = 0; good && i < p->sites; i++)
        good = (j->site[i] = keep_text(j, p->site[i])) != NULL;
    for (int i = 0; good && i < p->frames; i++)
        good = keep_text(j, p->frame[i]) != NULL;
    return good;
}

/* For the kinds and groups of so many rows, and for a new reporter. */
static bool make_room_for_rows(struct merge *j, int rows)
{
    bool good = array_reserve(&j->kind, &j->kind_room, j->kinds + rows, sizeof *j->kind) &&
                index_reserve(&j->kind_index, j->kinds + rows);
    for (int d = 0; good && d < DIMENSIONS; d++)
        good = array_reserve(&j->group[d], &j->group_room[d], j->groups[d] + rows, sizeof *j->group[d]) &&
               index_reserve(&j->group_index[d], j->groups[d] + rows);
    return good && array_reserve(&j->row_kind, &j->row_room, rows, sizeof *j->row_kind) &&
           array_reserve(&j->reporter, &j->reporter_room, j->reporters + 1, sizeof *j->reporter) &&
           index_reserve(&j->reporter_index, j->reporters + 1) &&
           array_reserve(&j->host, &j->host_room, j->hosts + 1, sizeof *j->host);
}

static bool make_room_for(struct merge *j, const struct rank_report *p)
{
    return keep_texts(j, p) && make_room_for_rows(j, p->rows) &&
           array_reserve(&j->call, &j->call_room, j->calls + p->calls, sizeof *j->call) &&
           index_reserve(&j->call_index, j->calls + p->calls) &&
           array_reserve(&j->reported, &j->reported_room, j->reported_calls + p->calls, sizeof *j->reported) &&
           array_reserve(&j->other, &j->other_room, j->others + p->others, sizeof *j->other) &&
           array_reserve(&j->frame, &j->frame_room, j->frames + p->frames, sizeof *j->frame) &&
           array_reserve(&j->match, &j->match_room, p->rows, sizeof *j->match) && index_reserve(&j->match_index, p->rows);
}

/* Frees what job_finish() has made. */
static void unfinish(struct merge *j)
{
    struct job *job = &j->job;
    for (int d = 0; d < DIMENSIONS; d++) {
        free(job->group[d]);
        job->group[d] = NULL;
    }
    free(job->rank);
    free(job->call);
    free(job->moment);
    job->rank = NULL;
    job->call = NULL;
    job->moment = NULL;
    j->finished = false;
}

void job_free(struct merge *j)
{
    if (!j)
        return;
    texts_free(&j->texts);
    for (int d = 0; d < DIMENSIONS; d++) {
        for (int64_t i = 0; i < j->groups[d]; i++)
            histogram_free(j->group[d][i].group.times);
        free(j->group[d]);
        free(j->group_index[d].slot);
    }
    unfinish(j);
    void *const memory[] = {j->share,
                            j->share_index.slot,
                            j->kind,
                            j->reporter,
                            j->host,
                            j->call,
                            j->reported,
                            j->other,
                            j->frame,
                            j->site,
                            j->row_kind,
                            j->match,
                            j->kind_index.slot,
                            j->reporter_index.slot,
                            j->call_index.slot,
                            j->match_index.slot};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        free(memory[i]);
    free(j);
}

/* ---- Rank reports ---------------------------------------------------------------------------------------------------- */

static void add_others(struct merge *j, const struct rank_report *p)
{
    for (int i = 0; i < p->others; i++) {
        const struct rank_other *o = &p->other[i];
        int64_t n = 0;
        while (n < j->others && strcmp(j->other[n].name, o->name) != 0)
            n++;
        if (n == j->others) {
            j->other[j->others++] = *o;
        } else {
            struct rank_other *sum = &j->other[n];
            sum->calls = o->calls > INT64_MAX - sum->calls ? INT64_MAX : sum->calls + o->calls;
            sum->bytes += o->bytes;
            sum->seconds += o->seconds;
        }
    }
}

static void add_frames(struct merge *j, const struct rank_report *p)
{
    for (int i = 0; i < p->frames; i++) {
        const char *frame = keep_text(j, p->frame[i]);
        int64_t n = i < j->frames && j->frame[i] == frame ? i : 0; /* most ranks have the same frames in the same order */
        while (n < j->frames && j->frame[n] != frame)
            n++;
        if (n == j->frames)
            j->frame[j->frames++] = frame;
    }
}

static int64_t host_for(struct merge *j, const char *name)
{
    int64_t n = j->reporters ? j->reporter[j->reporters - 1].host : 0; /* most ranks of a host follow each other */
    if (n < j->hosts && j->host[n].name == name)
        return n;
    for (n = 0; n < j->hosts; n++)
        if (j->host[n].name == name)
            return n;
    j->host[j->hosts] = (struct host){.name = name};
    return j->hosts++;
}

/* Adds cores that a rank report lists as "0-3,8". Ignores all that follows a mistake in the list. */
static void add_cores(struct host *h, const char *list)
{
    h->ranks += *list != 0;
    while (isdigit((unsigned char)*list)) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' && isdigit((unsigned char)end[1]) ? strtoul(end + 1, &end, 10) : first;
        for (unsigned long i = first; i <= last && i < CORES; i++)
            h->cores[i / 64] |= UINT64_C(1) << i % 64;
        list = *end == ',' ? end + 1 : end;
    }
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

static void add_head(struct merge *j, const struct rank_report *p)
{
    struct job *job = &j->job;
    if (j->reporters == 0 || p->rank < j->lowest) {
        j->lowest = p->rank;
        job->command = keep_text(j, p->command);
        job->pleach = keep_text(j, p->pleach);
        job->mpi = keep_text(j, p->mpi);
        job->settings = keep_text(j, p->settings);
        job->note = keep_text(j, p->note);
    }
    if (*p->unshared && (!*job->unshared || p->rank < j->obstructed)) {
        j->obstructed = p->rank;
        job->unshared = keep_text(j, p->unshared);
    }
    j->earliest = j->reporters == 0 || p->began < j->earliest ? p->began : j->earliest;
    job->end = j->reporters == 0 || p->end < job->end ? p->end : job->end;
    job->ranks = p->ranks > job->ranks ? p->ranks : job->ranks;
    job->nodes = p->nodes > job->nodes ? p->nodes : job->nodes;
    job->dry |= p->dry;
    job->learned = p->learned > job->learned ? p->learned : job->learned;
    job->measuring += p->measuring;
    job->lost = later(p->lost, job->lost);
    job->faults += p->faults;
    job->faulted += p->faulted;
    job->elapsed = later(p->elapsed, job->elapsed);
    job->run = later(p->run, job->run);
}

static bool same_rank(const void *entries, int64_t entry, const void *key)
{
    return ((const struct reporter *)entries)[entry].rank.rank == *(const int *)key;
}

int64_t reporter_of(const struct merge *j, int rank)
{
    return index_find(&j->reporter_index, mix64((uint64_t)rank), same_rank, j->reporter, &rank);
}

static struct reporter *new_reporter(struct merge *j, const struct rank_report *p)
{
    struct reporter *t = &j->reporter[j->reporters];
    *t = (struct reporter){.began = p->began, .host = host_for(j, keep_text(j, p->host))};
    t->rank = (struct job_rank){.rank = p->rank, .end = p->end, .elapsed = p->elapsed, .run = p->run};
    t->rank.host = j->host[t->host].name;
    index_add(&j->reporter_index, mix64((uint64_t)p->rank), j->reporters);
    return t;
}

bool job_add(struct merge *j, const struct rank_report *p, char *why, size_t size)
{
    if (reporter_of(j, p->rank) >= 0) {
        snprintf(why, size, "rank %d has reported already", p->rank);
        return false;
    }
    if (!make_room_for(j, p)) {
        snprintf(why, size, "out of memory");
        return false;
    }
    const struct reporter *t = new_reporter(j, p);
    add_cores(&j->host[t->host], p->cores);
    add_head(j, p);
    count_rows(j, p, j->reporters);
    count_calls(j, p);
    add_others(j, p);
    add_frames(j, p);
    j->reporters++;
    return true;
}

bool job_add_frame(struct merge *j, const char *origin)
{
    if (!keep_text(j, origin) || !array_reserve(&j->frame, &j->frame_room, j->frames + 1, sizeof *j->frame))
        return false;
    add_frames(j, &(struct rank_report){.frames = 1, .frame = &origin});
    return true;
}

bool job_add_call(struct merge *j, const char *by, int rank, double end, const struct rank_row *row, const char *site)
{
    static const struct rank_report blank = {.host = "",
                                             .command = "",
                                             .pleach = "",
                                             .mpi = "",
                                             .settings = "",
                                             .note = "",
                                             .unshared = "",
                                             .cores = "",
                                             .end = END_FINALIZE,
                                             .rows = 1};
    struct rank_report p = blank;
    int64_t reporter = reporter_of(j, rank);
    const char *kept = keep_text(j, site);
    if (!kept || !keep_text(j, "") || !make_room_for_rows(j, 1) ||
        !array_reserve(&j->site, &j->site_room, 1, sizeof *j->site) ||
        !array_reserve(&j->share, &j->share_room, j->shares + DIMENSIONS, sizeof *j->share) ||
        !index_reserve(&j->share_index, j->shares + DIMENSIONS))
        return false;
    if (j->finished)
        unfinish(j);
    p.rank = rank;
    p.dry = row->engine != row->would;
    p.elapsed = end;
    p.row = (struct rank_row *)row;
    j->site[0] = kept;
    if (reporter < 0) {
        add_head(j, &p);
        new_reporter(j, &p);
        reporter = j->reporters++;
    }
    j->job.log = by;
    j->job.dry |= p.dry;
    j->job.elapsed = later(end, j->job.elapsed);
    j->reporter[reporter].rank.elapsed = later(j->reporter[reporter].rank.elapsed, end);
    count_rows(j, &p, reporter);
    return count_each(j, row->tally.seconds);
}
