/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a rank report. The text is not trusted: it may be cut short, damaged or made up. The reader needs memory for the
 * text, and for an entry for each line.
 */
#include "rank_report_read.h"

#include "rank_report_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * MOST_RANKS: more ranks than any machine has. MOST_LISTED: most frames, and most collectives that Pleach does not serve; a
 * merge searches these lists from their start.
 */
enum { MOST_RANKS = 1 << 24, MOST_LISTED = 4096 };

/* A rank report, and the memory that its texts point to. */
struct kept {
    struct rank_report report; /* the first field, as rank_report_free() expects */
    char *text;
};

/* The fields of a line, one after the other. */
struct report_line {
    char *rest;        /* NULL behind the last field */
    const char *wrong; /* what is wrong with the line, or NULL */
};

static char *next_field(struct report_line *l)
{
    static char none[] = "";
    char *field = strsep(&l->rest, "\t");
    if (!field)
        l->wrong = "a field is missing";
    return field ? field : none;
}

static int64_t read_number(struct report_line *l, int64_t least, int64_t most)
{
    const char *field = next_field(l);
    char *end;
    errno = 0;
    int64_t number = strtoll(field, &end, 10);
    bool digits = isdigit((unsigned char)field[*field == '-']) && !*end && !errno;
    if (digits && least <= number && number <= most)
        return number;
    l->wrong = l->wrong ? l->wrong : digits ? "a number is out of bounds" : "a number was expected";
    return least;
}

static double read_time(struct report_line *l)
{
    int64_t ns = read_number(l, 0, INT64_MAX);
    const int64_t whole = ns / BILLION;
    return (double)whole + (double)(ns % BILLION) / 1e9;
}

static uint64_t read_hash(struct report_line *l)
{
    const char *field = next_field(l);
    char *end;
    errno = 0;
    uint64_t hash = strtoull(field, &end, 16);
    if (!isxdigit((unsigned char)*field) || *end || errno)
        l->wrong = "a number was expected";
    return hash;
}

static const char *word_of_reason(int i)
{
    return i < REASONS ? reason_word((enum reason)i) : NULL;
}

/* The number of a word. An unknown word, perhaps of another version, gives 0, and the line is wrong. */
static int read_word(struct report_line *l, const char *(*word)(int i))
{
    const char *field = next_field(l);
    for (int i = 0; word(i); i++)
        if (strcmp(word(i), field) == 0)
            return i;
    l->wrong = l->wrong ? l->wrong : "a word is unknown; another version may have written it";
    return 0;
}

static struct tally read_tally(struct report_line *l)
{
    struct tally t = {.calls = read_number(l, 1, INT64_MAX), .bytes = (double)read_number(l, 0, INT64_MAX)};
    double *const times[] = {&t.seconds, &t.least, &t.most, &t.first, &t.native, &t.engine, &t.predicted};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        *times[i] = read_time(l);
    t.noise = l->rest ? read_time(l) : 0;
    return t;
}

static struct rank_row read_row(struct report_line *l, int sites)
{
    struct rank_row r;
    r.collective = (enum collective)read_word(l, collective_word);
    r.size = (int)read_number(l, -1, MOST_SIZE);
    r.engine = read_word(l, engine_word);
    r.would = read_word(l, engine_word);
    r.reason = (enum reason)read_word(l, word_of_reason);
    r.site = (int)read_number(l, -1, sites - 1);
    r.tally = read_tally(l);
    r.tried = l->rest && read_number(l, 0, 1);
    r.own.engine = l->rest ? read_word(l, engine_word) : 0;
    r.own.share = l->rest ? read_time(l) : 0;
    return r;
}

static struct rank_call read_call(struct report_line *l, int sites)
{
    struct rank_call c;
    c.comm = read_hash(l);
    c.number = read_number(l, 0, INT64_MAX);
    c.ranks = (int)read_number(l, 1, MOST_RANKS);
    c.start = read_time(l);
    c.seconds = read_time(l);
    c.collective = (enum collective)read_word(l, collective_word);
    c.bytes = read_number(l, 0, INT64_MAX);
    c.engine = read_word(l, engine_word);
    c.site = (int)read_number(l, -1, sites - 1);
    return c;
}

static struct rank_other read_other(struct report_line *l)
{
    struct rank_other o;
    snprintf(o.name, sizeof o.name, "%s", next_field(l));
    o.calls = read_number(l, 1, INT64_MAX);
    o.bytes = (double)read_number(l, 0, INT64_MAX);
    o.seconds = read_time(l);
    return o;
}

static void read_rank(struct report_line *l, struct rank_report *p)
{
    p->rank = (int)read_number(l, 0, MOST_RANKS - 1);
    p->ranks = (int)read_number(l, 0, MOST_RANKS);
    if (!l->wrong && p->ranks && p->rank >= p->ranks)
        l->wrong = "there is no such rank";
}

/* Is there room for one more in a list of `listed` entries? If not, the line is wrong. */
static bool has_room(struct report_line *l, int listed)
{
    if (listed == MOST_LISTED)
        l->wrong = "there are too many such lines";
    return listed < MOST_LISTED;
}

/* Reads a line into the rank report, whose arrays have room. Skips lines of an unknown kind. */
static void read_line(struct report_line *l, const char *kind, struct rank_report *p)
{
    if (strcmp(kind, "row") == 0)
        p->row[p->rows++] = read_row(l, p->sites);
    else if (strcmp(kind, "call") == 0)
        p->call[p->calls++] = read_call(l, p->sites);
    else if (strcmp(kind, "site") == 0)
        p->site[p->sites++] = next_field(l);
    else if (strcmp(kind, "frame") == 0 && has_room(l, p->frames))
        p->frame[p->frames++] = next_field(l);
    else if (strcmp(kind, "other") == 0 && has_room(l, p->others))
        p->other[p->others++] = read_other(l);
    else if (strcmp(kind, "rank") == 0)
        read_rank(l, p);
    else if (strcmp(kind, "nodes") == 0)
        p->nodes = (int)read_number(l, 0, INT32_MAX);
    else if (strcmp(kind, "process") == 0)
        p->process = (int)read_number(l, 0, INT32_MAX);
    else if (strcmp(kind, "dry") == 0)
        p->dry = read_number(l, 0, 1);
    else if (strcmp(kind, "learned") == 0)
        p->learned = (int)read_number(l, 0, INT32_MAX);
    else if (strcmp(kind, "faults") == 0)
        p->faults = (double)read_number(l, 0, INT64_MAX);
    else if (strcmp(kind, "ended") == 0)
        p->end = (enum rank_end)read_word(l, rank_end_word);
    for (int i = 0; i < VALUE_TEXTS; i++)
        if (strcmp(kind, value_texts[i].kind) == 0)
            *text_of(p, i) = next_field(l);
    for (int i = 0; i < VALUE_TIMES; i++)
        if (strcmp(kind, value_times[i].kind) == 0)
            *time_of(p, i) = read_time(l);
}

/* The number of lines of a kind, plus one, so that no array is empty. */
static size_t lines_of(const char *text, const char *kind)
{
    size_t lines = 1, length = strlen(kind);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines += strncmp(at + 1, kind, length) == 0 && at[1 + length] == '\t';
    return lines;
}

/* Reads the lines behind the first. Returns false, with the reason in why[size], if that fails. */
static bool read_lines(struct rank_report *p, char *text, char *why, size_t size)
{
    p->rank = -1;
    for (int number = 2; *text; number++) {
        struct report_line l = {.rest = strsep(&text, "\n")};
        char *kind = strsep(&l.rest, "\t");
        read_line(&l, kind, p);
        if (l.wrong) {
            snprintf(why, size, "line %d (%.16s): %s", number, kind, l.wrong);
            return false;
        }
    }
    if (p->rank < 0)
        snprintf(why, size, "its line 'rank' is missing");
    return p->rank >= 0;
}

/* Does the text look like a whole rank report? If not, says why. Sets *head to the length of the first line. */
static bool looks_whole(const char *text, size_t length, size_t *head, char *why, size_t size)
{
    static const char first[] = "pleach-part\t", last[] = "\nend\n";
    bool is_part = strncmp(text, first, sizeof first - 1) == 0;
    char *line_end = NULL;
    long version = is_part ? strtol(text + sizeof first - 1, &line_end, 10) : 0;
    *head = is_part ? (size_t)(line_end - text) : 0;
    if (memchr(text, 0, length))
        snprintf(why, size, "it has a NUL byte: it is no text");
    else if (!is_part)
        snprintf(why, size, "it is no part of a report: its first line is not 'pleach-part'");
    else if (version != RANK_REPORT_VERSION)
        snprintf(why, size, "it is of version %ld, and this Pleach reads version %d", version, RANK_REPORT_VERSION);
    else if (*line_end != '\n' || length - *head < sizeof last - 1 || strcmp(text + length - (sizeof last - 1), last) != 0)
        snprintf(why, size, "it is cut short: its last line is not 'end'");
    else
        return true;
    return false;
}

struct rank_report *rank_report_read(const char *text, size_t length, char *why, size_t size)
{
    struct kept *k = calloc(1, sizeof *k);
    size_t head;
    snprintf(why, size, "out of memory");
    if (!k || !(k->text = malloc(length + 1))) {
        free(k);
        return NULL;
    }
    memcpy(k->text, text, length);
    k->text[length] = 0;
    struct rank_report *p = &k->report;
    for (int i = 0; i < VALUE_TEXTS; i++)
        *text_of(p, i) = "";
    bool whole_text = looks_whole(k->text, length, &head, why, size);
    for (char *c = k->text; whole_text && *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\t' && *c != '\n') || *c == 0x7f)
            *c = '?';
    if (whole_text) {
        p->row = calloc(lines_of(k->text, "row"), sizeof *p->row);
        p->site = calloc(lines_of(k->text, "site"), sizeof *p->site);
        p->frame = calloc(lines_of(k->text, "frame"), sizeof *p->frame);
        p->call = calloc(lines_of(k->text, "call"), sizeof *p->call);
        p->other = calloc(lines_of(k->text, "other"), sizeof *p->other);
        snprintf(why, size, "out of memory");
        if (p->row && p->site && p->frame && p->call && p->other && read_lines(p, k->text + head + 1, why, size))
            return p;
    }
    rank_report_free(p);
    return NULL;
}

void rank_report_free(struct rank_report *p)
{
    struct kept *k = (struct kept *)p;
    if (!k)
        return;
    free(p->row);
    free(p->site);
    free(p->frame);
    free(p->call);
    free(p->other);
    free(k->text);
    free(k);
}
