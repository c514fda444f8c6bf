/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a finished report; see job_read.h. */
#include <config.h> /* HAVE_JSON */

#include "job_read.h"

#include <stdio.h>

#ifdef HAVE_JSON

#include "job_fields.h"
#include "rank_report_values.h"
#include "say.h"

#include <json.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1 << 24 };

/* What is read, and what was wrong first. */
struct reading {
    const char *wrong; /* NULL: nothing so far */
};

static void wrong(struct reading *r, const char *what)
{
    r->wrong = r->wrong ? r->wrong : what;
}

static void *memory(struct reading *r, size_t count, size_t size)
{
    void *m = r->wrong ? NULL : calloc(count + 1, size);
    if (!m)
        wrong(r, "out of memory");
    return m;
}

/* The member of this name; NULL if it is missing, or null. */
static json_object *member(json_object *of, const char *name)
{
    json_object *found = NULL;
    return json_object_is_type(of, json_type_object) && json_object_object_get_ex(of, name, &found) ? found : NULL;
}

/* The list of this name, and its length; none if it is missing. */
static json_object *list(struct reading *r, json_object *of, const char *name, size_t *count)
{
    json_object *found = member(of, name);
    const bool good = !found || json_object_is_type(found, json_type_array);
    if (!good)
        wrong(r, "a list was expected");
    *count = good && found ? json_object_array_length(found) : 0;
    if (*count > INT_MAX)
        wrong(r, "a list is too long");
    return found;
}

static json_object *item(json_object *of, size_t i)
{
    return json_object_array_get_idx(of, i);
}

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

static int64_t whole(struct reading *r, json_object *value, int64_t most)
{
    const int64_t number = json_object_get_int64(value);
    if (!json_object_is_type(value, json_type_int) || number < 0 || number > most)
        wrong(r, "a whole number was expected");
    return r->wrong ? 0 : number;
}

static double number(struct reading *r, json_object *value)
{
    const double x = json_object_get_double(value);
    if ((!json_object_is_type(value, json_type_double) && !json_object_is_type(value, json_type_int)) || !(x >= 0) ||
        isinf(x))
        wrong(r, "a number was expected");
    return r->wrong ? 0 : x;
}

/* A text in one line that steers no terminal. */
static const char *word(struct reading *r, json_object *value)
{
    if (!json_object_is_type(value, json_type_string))
        wrong(r, "a text was expected");
    char *text = r->wrong ? NULL : strdup(json_object_get_string(value));
    if (!text) {
        wrong(r, "out of memory");
        return "";
    }
    make_printable(text, "");
    return text;
}

/* The number of a word in a list that ends with NULL. */
static int word_in(struct reading *r, json_object *value, const char *(*of)(int i))
{
    const char *text = word(r, value);
    for (int i = 0; !r->wrong && of(i); i++)
        if (strcmp(of(i), text) == 0)
            return i;
    wrong(r, "a word is unknown; another version may have written it");
    return 0;
}

static const char *reason_in(int i)
{
    return i < REASONS ? reason_word((enum reason)i) : NULL;
}

static int class_of(int64_t bytes)
{
    return bytes > 0 ? 63 - __builtin_clzll((unsigned long long)bytes) : -1;
}

/* Reads a value that is there. */
static void read_value(struct reading *r, const struct job_field *m, json_object *value, void *to)
{
    void *at = (char *)to + m->where;
    switch (m->type) {
    case JOB_WORD:
        *(const char **)at = word(r, value);
        break;
    case JOB_COLLECTIVE:
        *(enum collective *)at = (enum collective)word_in(r, value, collective_word);
        break;
    case JOB_ENGINE:
        *(int *)at = word_in(r, value, engine_word);
        break;
    case JOB_REASON:
        *(enum reason *)at = (enum reason)word_in(r, value, reason_in);
        break;
    case JOB_END:
        *(enum rank_end *)at = (enum rank_end)word_in(r, value, rank_end_word);
        break;
    case JOB_CLASS:
        *(int *)at = class_of(whole(r, value, INT64_MAX));
        break;
    case JOB_TRUTH:
        *(bool *)at = json_object_get_boolean(value);
        break;
    case JOB_INT:
        *(int *)at = (int)whole(r, value, INT_MAX);
        break;
    case JOB_COUNT:
        *(int64_t *)at = whole(r, value, INT64_MAX);
        break;
    case JOB_DOUBLE:
        *(double *)at = number(r, value);
    }
}

/* Reads the fields of an object. What is missing stays as it is. */
static void read_fields(struct reading *r, const struct job_field *field, json_object *of, void *to)
{
    json_object *value;
    if (!json_object_is_type(of, json_type_object))
        wrong(r, "an object was expected");
    for (const struct job_field *m = field; m->name && !r->wrong; m++) {
        if (!json_object_object_get_ex(of, m->name, &value))
            continue;
        if (value)
            read_value(r, m, value, to);
        else if (m->type == JOB_DOUBLE)
            *(double *)(void *)((char *)to + m->where) = -1;
        else if (m->type == JOB_INT)
            *(int *)(void *)((char *)to + m->where) = -1;
    }
}

/* ---- Parts of the report --------------------------------------------------------------------------------------------- */

static void read_times(struct reading *r, json_object *of, struct histogram **h)
{
    size_t count;
    json_object *times = list(r, of, "times", &count);
    for (size_t i = 0; i < count && !r->wrong; i++) {
        json_object *pair = item(times, i);
        if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
            wrong(r, "a pair was expected");
        else if (!histogram_add(h, whole(r, item(pair, 0), INT64_C(1) << 62), whole(r, item(pair, 1), INT64_C(1) << 40)))
            wrong(r, "out of memory");
    }
}

static void read_groups(struct reading *r, json_object *report, struct job *j, int d)
{
    size_t count;
    json_object *groups = list(r, report, job_lists[d], &count);
    j->group[d] = memory(r, count, sizeof *j->group[d]);
    for (size_t i = 0; i < count && !r->wrong; i++) {
        struct job_group *g = &j->group[d][i];
        *g = (struct job_group){.size = -1};
        read_fields(r, job_group, item(groups, i), g);
        read_times(r, item(groups, i), &g->times);
        if (g->tally.calls < 1 || ((d == BY_SITE || d == BY_SIZE_AND_SITE) && !g->site))
            wrong(r, "a group lacks calls, or its site");
        g->middle = job_middle(&g->tally, g->times);
    }
    j->groups[d] = (int)count;
}

static void read_ranks(struct reading *r, json_object *report, struct job *j)
{
    size_t count;
    json_object *ranks = list(r, report, "ranks", &count);
    j->rank = memory(r, count, sizeof *j->rank);
    for (size_t i = 0; i < count && !r->wrong; i++) {
        j->rank[i].host = "";
        read_fields(r, job_ranks, item(ranks, i), &j->rank[i]);
        if (!r->wrong && (j->rank[i].rank < 0 || (i && j->rank[i].rank <= j->rank[i - 1].rank)))
            wrong(r, "ranks are not in order");
    }
    if (count == 0 || (size_t)j->reported != count)
        wrong(r, "ranks are missing");
}

static void read_others(struct reading *r, json_object *report, struct job *j)
{
    size_t count;
    json_object *others = list(r, report, "others", &count);
    j->other = memory(r, count, sizeof *j->other);
    for (size_t i = 0; i < count && !r->wrong; i++) {
        read_fields(r, job_others, item(others, i), &j->other[i]);
        snprintf(j->other[i].name, sizeof j->other[i].name, "%s", word(r, member(item(others, i), "name")));
        if (j->other[i].calls < 1)
            wrong(r, "a row has no calls");
    }
    j->others = (int)count;
}

/* Reads a call, whose moments come behind those of the calls before. */
static void read_call(struct reading *r, json_object *of, struct job *j, struct job_call *c)
{
    size_t ranks, starts, ends;
    json_object *rank = list(r, of, "ranks", &ranks), *start = list(r, of, "start_ns", &starts),
                *ns = list(r, of, "ns", &ends);
    read_fields(r, job_calls, of, c);
    c->ranks = (int)ranks;
    c->first = j->moments;
    if (ranks == 0 || starts != ranks || ends != ranks || c->each < 1)
        wrong(r, "a call lacks ranks, or times");
    for (size_t i = 0; i < ranks && !r->wrong; i++) {
        struct job_moment *m = &j->moment[c->first + (int64_t)i];
        m->rank = (int)whole(r, item(rank, i), INT_MAX);
        m->start = job_seconds(whole(r, item(start, i), INT64_C(1) << 62));
        m->seconds = job_seconds(whole(r, item(ns, i), INT64_C(1) << 62));
    }
    if (r->wrong)
        return;
    j->moments += c->ranks;
    job_find_waits(c, &j->moment[c->first]);
}

static void read_calls(struct reading *r, json_object *report, struct job *j)
{
    size_t count, ranks, moments = 0;
    json_object *calls = list(r, report, "calls", &count);
    for (size_t i = 0; i < count; i++) {
        list(r, item(calls, i), "ranks", &ranks);
        moments += ranks;
    }
    j->call = memory(r, count, sizeof *j->call);
    j->moment = memory(r, moments, sizeof *j->moment);
    for (size_t i = 0; i < count && !r->wrong; i++)
        read_call(r, item(calls, i), j, &j->call[i]);
    j->calls = (int64_t)count;
}

static void read_frames(struct reading *r, json_object *report, struct job *j)
{
    size_t count;
    json_object *frames = list(r, report, "frames", &count);
    j->frame = memory(r, count, sizeof *j->frame);
    for (size_t i = 0; i < count && !r->wrong; i++)
        j->frame[i] = word(r, item(frames, i));
    j->frames = (int)count;
}

static const struct job *read_report(struct reading *r, json_object *report)
{
    struct job *j = memory(r, 1, sizeof *j);
    if (!j)
        return NULL;
    j->command = j->pleach = j->mpi = j->settings = j->note = j->unshared = "";
    read_fields(r, job_head, member(report, "run"), j);
    if (j->ranks > MOST_RANKS)
        wrong(r, "there are too many ranks");
    for (int d = 0; d < DIMENSIONS; d++)
        read_groups(r, report, j, d);
    read_ranks(r, report, j);
    read_others(r, report, j);
    read_calls(r, report, j);
    read_frames(r, report, j);
    return r->wrong ? NULL : j;
}

/* The JSON of a page, or the text itself; NULL: a page without JSON. */
static const char *data_of(const char *text)
{
    static const char before[] = "<script type='application/json' id='pleach-report'>";
    const char *at = *text == '<' ? strstr(text, before) : NULL;
    return at ? at + sizeof before - 1 : *text == '<' ? NULL : text;
}

const struct job *job_read(const char *text, char *why, size_t size)
{
    struct reading r = {.wrong = NULL};
    struct json_tokener *tokener = json_tokener_new();
    const char *data = data_of(text);
    const size_t length = data ? strlen(data) : 0;
    json_object *report = tokener && data && length <= INT_MAX ? json_tokener_parse_ex(tokener, data, (int)length) : NULL;
    json_object *version = member(report, JOB_JSON_NAME);
    const struct job *j = NULL;
    if (!data)
        snprintf(why, size, "the page has no data; an older Pleach may have written it");
    else if (!report)
        snprintf(why, size, "%s",
                 !tokener                                                   ? "out of memory"
                 : json_tokener_get_error(tokener) == json_tokener_continue ? "it is cut off"
                                                                            : "it is no JSON");
    else if (!version)
        snprintf(why, size, "it is no report of Pleach");
    else if (json_object_get_int64(version) != JOB_JSON_VERSION)
        snprintf(why, size, "it is of version %lld, and this Pleach reads version %d",
                 (long long)json_object_get_int64(version), JOB_JSON_VERSION);
    else if (!(j = read_report(&r, report)))
        snprintf(why, size, "%s", r.wrong);
    if (tokener)
        json_tokener_free(tokener);
    return j;
}

#else

const struct job *job_read(const char *text, char *why, size_t size)
{
    (void)text;
    snprintf(why, size, "this pleach was built without json-c (configure --with-json): it reads no finished report");
    return NULL;
}

#endif
