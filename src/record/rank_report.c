/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes rank reports: lines of a word and fields, with tabs between them.
 *
 *     pleach-part VERSION
 *     rank        RANK RANKS
 *     host, command, pleach, mpi, settings, note, unshared, cores    TEXT
 *     nodes, process, dry, learned, faults          NUMBER
 *     ended       running | exit | finalize
 *     began, elapsed, run, measuring, lost, faulted     NANOSECONDS
 *     site        TEXT; later rows and calls name a site by its number, from 0; -1: no site
 *     frame       TEXT
 *     row         COLLECTIVE SIZE ENGINE WOULD REASON SITE TALLY TRIED
 *     call        COMM NUMBER RANKS START SECONDS COLLECTIVE BYTES ENGINE SITE
 *     other       NAME CALLS BYTES SECONDS
 *     end
 *
 * TALLY is CALLS BYTES, then nanoseconds: all, least, most, first, native, engine, predicted, noise. Only rank and end must
 * be there. Rows of older versions may lack noise and TRIED. Readers skip unknown lines and further fields.
 */
#include "rank_report_values.h"

#include "utf8.h"

#include <inttypes.h>

enum { ALL_KEPT = 256 };

const struct value value_texts[VALUE_TEXTS] = {
    {"host", offsetof(struct rank_report, host)},         {"command", offsetof(struct rank_report, command)},
    {"pleach", offsetof(struct rank_report, pleach)},     {"mpi", offsetof(struct rank_report, mpi)},
    {"settings", offsetof(struct rank_report, settings)}, {"note", offsetof(struct rank_report, note)},
    {"unshared", offsetof(struct rank_report, unshared)}, {"cores", offsetof(struct rank_report, cores)},
};
const struct value value_times[VALUE_TIMES] = {
    {"began", offsetof(struct rank_report, began)}, {"elapsed", offsetof(struct rank_report, elapsed)},
    {"run", offsetof(struct rank_report, run)},     {"measuring", offsetof(struct rank_report, measuring)},
    {"lost", offsetof(struct rank_report, lost)},   {"faulted", offsetof(struct rank_report, faulted)},
};

const char *rank_end_word(int end)
{
    static const char *const words[ENDS] = {[END_RUNNING] = "running", [END_EXIT] = "exit", [END_FINALIZE] = "finalize"};
    return end < ENDS ? words[end] : NULL;
}

bool rank_report_keeps(int64_t number, int64_t *each)
{
    for (*each = 1; number / ALL_KEPT >= *each; *each *= 2)
        ;
    return number % *each == 0;
}

int rank_report_size(int64_t bytes)
{
    const int size = bytes > 0 ? ceil_log2(bytes) : -1;
    return size < MOST_SIZE ? size : MOST_SIZE;
}

void tally_add(struct tally *t, const struct tally *more)
{
    if (more->calls == 0)
        return;
    if (t->calls == 0)
        t->first = more->first;
    t->least = t->calls == 0 || more->least < t->least ? more->least : t->least;
    t->most = more->most > t->most ? more->most : t->most;
    t->calls = more->calls > INT64_MAX - t->calls ? INT64_MAX : t->calls + more->calls;
    t->bytes += more->bytes;
    t->seconds += more->seconds;
    t->native += more->native;
    t->engine += more->engine;
    t->predicted += more->predicted;
    t->noise += more->noise;
}

/* Control characters become blanks, for terminals. */
static void put_text(FILE *f, const char *kind, const char *text)
{
    char one[UTF8_TEXT];
    fprintf(f, "%s\t", kind);
    while (*text) {
        text += utf8_next(text, one);
        fputs((unsigned char)*one < ' ' || *one == 0x7f ? " " : one, f);
    }
}

static void put_line(FILE *f, const char *kind, const char *text)
{
    put_text(f, kind, text);
    putc('\n', f);
}

static int64_t whole(double x)
{
    return x > 0 ? x < 0x1p62 ? (int64_t)(x + 0.5) : INT64_C(1) << 62 : 0;
}

/* Whole seconds apart: those since 1970 would lose digits. */
static int64_t nanoseconds(double seconds)
{
    int64_t s = seconds > 0 ? seconds < 4e9 ? (int64_t)seconds : 4 * BILLION : 0;
    return s * BILLION + whole(1e9 * (seconds < 4e9 ? seconds - (double)s : 0));
}

static void put_time(FILE *f, double seconds)
{
    fprintf(f, "\t%" PRId64, nanoseconds(seconds));
}

static void put_row(FILE *f, const struct rank_row *r)
{
    const struct tally *t = &r->tally;
    const double times[] = {t->seconds, t->least, t->most, t->first, t->native, t->engine, t->predicted, t->noise};
    fprintf(f, "row\t%s\t%d\t%s\t%s\t%s\t%d\t%" PRId64 "\t%" PRId64, collective_name(r->collective), r->size,
            engines[r->engine]->name, engines[r->would]->name, reason_word(r->reason), r->site, t->calls, whole(t->bytes));
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        put_time(f, times[i]);
    fprintf(f, "\t%d\t%s", r->tried, engines[r->own.engine]->name);
    put_time(f, r->own.share);
    putc('\n', f);
}

static void put_call(FILE *f, const struct rank_call *c)
{
    fprintf(f, "call\t%" PRIx64 "\t%" PRId64 "\t%d", c->comm, c->number, c->ranks);
    put_time(f, c->start);
    put_time(f, c->seconds);
    fprintf(f, "\t%s\t%" PRId64 "\t%s\t%d\n", collective_name(c->collective), c->bytes, engines[c->engine]->name, c->site);
}

bool rank_report_write(const struct rank_report *p, FILE *f)
{
    fprintf(f, "pleach-part\t%d\nrank\t%d\t%d\n", RANK_REPORT_VERSION, p->rank, p->ranks);
    for (int i = 0; i < VALUE_TEXTS; i++)
        put_line(f, value_texts[i].kind, *text_of((struct rank_report *)p, i));
    fprintf(f, "nodes\t%d\nprocess\t%d\ndry\t%d\nlearned\t%d\nended\t%s\n", p->nodes, p->process, p->dry, p->learned,
            rank_end_word(p->end));
    fprintf(f, "faults\t%" PRId64 "\n", whole(p->faults));
    for (int i = 0; i < VALUE_TIMES; i++) {
        fputs(value_times[i].kind, f);
        put_time(f, *time_of((struct rank_report *)p, i));
        putc('\n', f);
    }
    for (int i = 0; i < p->sites; i++)
        put_line(f, "site", p->site[i]);
    for (int i = 0; i < p->frames; i++)
        put_line(f, "frame", p->frame[i]);
    for (int i = 0; i < p->rows; i++)
        put_row(f, &p->row[i]);
    for (int i = 0; i < p->calls; i++)
        put_call(f, &p->call[i]);
    for (int i = 0; i < p->others; i++) {
        put_text(f, "other", p->other[i].name);
        fprintf(f, "\t%" PRId64 "\t%" PRId64, p->other[i].calls, whole(p->other[i].bytes));
        put_time(f, p->other[i].seconds);
        putc('\n', f);
    }
    fputs("end\n", f);
    return !ferror(f);
}
