/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a report: totals, then a table each of collectives, of engines and reasons, and of call sites. */
#include "tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TOP = 10, UNIT_TEXT = 32, LINE = 160 }; /* TOP: call sites that are shown */

static struct {
    int used;
    char text[(KINDS + 32) * LINE + (TOP + 1) * (SITE_TEXT + LINE)];
} page;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    int room = (int)sizeof page.text - page.used;
    va_list ap;
    va_start(ap, format);
    int length = vsnprintf(page.text + page.used, (size_t)room, format, ap);
    va_end(ap);
    assert(length < room);
    page.used += length < room ? length : room - 1;
}

struct unit {
    const char *suffix;
    double value;
};

static const struct unit seconds_units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
static const struct unit bytes_units[] = {{"T", 0x1p40}, {"G", 0x1p30}, {"M", 0x1p20}, {"K", 0x1p10}, {"", 1}, {NULL, 0}};

/*
 * Four digits, in the largest unit of which there is one; else in the last, where a NULL follows. Integers only: printf's %f
 * obeys the application's locale.
 */
static const char *in_units(double x, const struct unit *unit, char text[UNIT_TEXT])
{
    while (unit[1].suffix && x < unit->value)
        unit++;
    x /= unit->value;
    int decimals = !*unit->suffix || x >= 1000 ? 0 : x >= 100 ? 1 : x >= 10 ? 2 : 3;
    static const int64_t power[] = {1, 10, 100, 1000};
    int64_t scale = power[decimals], n = (int64_t)(x * (double)scale + 0.5);
    if (decimals)
        snprintf(text, UNIT_TEXT, "%" PRId64 ".%0*" PRId64 "%s", n / scale, decimals, n % scale, unit->suffix);
    else
        snprintf(text, UNIT_TEXT, "%" PRId64 "%s", n, unit->suffix);
    return text;
}

static const char *percent(double part, double whole, char text[UNIT_TEXT])
{
    int tenths = part < 1e6 * whole ? (int)(1000 * part / whole + 0.5) : 0;
    snprintf(text, UNIT_TEXT, "%d.%d%%", tenths / 10, tenths % 10);
    return text;
}

/* The columns of `pleach log`, so that both can be read side by side; `names`: the headings that follow. */
static void put_heading(const char *names)
{
    put("\n%10s %8s %8s %7s %8s %8s %8s  %s\n", "CALLS", "BYTES", "TIME", "SHARE", "MEAN", "MIN", "MAX", names);
}

static void put_tally(const struct tally *t, const struct tally *all)
{
    char bytes[UNIT_TEXT], time[UNIT_TEXT], share[UNIT_TEXT], mean[UNIT_TEXT], least[UNIT_TEXT], most[UNIT_TEXT];
    put("%10" PRId64 " %8s %8s %7s %8s %8s %8s  ", t->calls, in_units(t->bytes, bytes_units, bytes),
        in_units(t->seconds, seconds_units, time), percent(t->seconds, all->seconds, share),
        in_units(t->seconds / (double)t->calls, seconds_units, mean), in_units(t->least, seconds_units, least),
        in_units(t->most, seconds_units, most));
}

static void put_totals(const struct tables *t, int rank, double elapsed)
{
    const struct tally *all = &t->all;
    char host[256] = "", bytes[UNIT_TEXT], time[UNIT_TEXT], share[UNIT_TEXT], whole[UNIT_TEXT];
    gethostname(host, sizeof host - 1);
    put("Pleach report of rank %d, process %d on %s\n", rank, (int)getpid(), host);
    put("%" PRId64 " call%s: %s bytes, %s, which is %s of the %s since the first of them\n", all->calls,
        all->calls == 1 ? "" : "s", in_units(all->bytes, bytes_units, bytes), in_units(all->seconds, seconds_units, time),
        percent(all->seconds, elapsed, share), in_units(elapsed, seconds_units, whole));
    if (t->lost > 0)
        put("%d kind%s of calls learned; the trials lost %s, which is %s of the calls' time\n", t->learned,
            t->learned == 1 ? "" : "s", in_units(t->lost, seconds_units, time), percent(t->lost, all->seconds, share));
    if (t->note[0])
        put("%s\n", t->note);
}

static void put_collectives(const struct tables *t)
{
    char share[UNIT_TEXT];
    put_heading("ENGINES  COLLECTIVE");
    for (int c = 0; c < COLLECTIVES; c++)
        if (t->by[c].calls > 0) {
            put_tally(&t->by[c], &t->all);
            put("%7s  %s\n", percent(t->engines[c].seconds, t->by[c].seconds, share), collective_name(c));
        }
}

/* Most time first, free slots last. Both kinds of row begin with their tally. */
static int by_seconds(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    int more = (x->seconds < y->seconds) - (x->seconds > y->seconds);
    return more ? more : (x->calls < y->calls) - (x->calls > y->calls);
}

static void put_kinds(struct tables *t)
{
    put_heading("COLLECTIVE  ENGINE             REASON");
    qsort(t->kind, (size_t)t->kinds, sizeof t->kind[0], by_seconds);
    for (const struct kind_row *k = t->kind; k < t->kind + t->kinds; k++) {
        put_tally(&k->tally, &t->all);
        put("%-10s  %-17s  %s\n", collective_name(k->collective), k->engine, reason_word(k->reason));
    }
    if (t->other_kinds.calls > 0) {
        put_tally(&t->other_kinds, &t->all);
        put("others\n");
    }
}

static void put_sites(struct tables *t)
{
    static char text[SITE_TEXT];
    struct tally others = t->other_sites;
    int shown = t->sites < TOP ? t->sites : TOP;
    put_heading("COLLECTIVE  SITE");
    qsort(t->site, SITE_SLOTS, sizeof t->site[0], by_seconds);
    for (const struct site_row *s = t->site; s < t->site + SITE_SLOTS; s++)
        if (s < t->site + shown) {
            site_text(s->frame, text, sizeof text);
            put_tally(&s->tally, &t->all);
            put("%-10s  %s\n", collective_name(s->collective), text);
        } else {
            tally_add(&others, &s->tally);
        }
    if (others.calls > 0) {
        put_tally(&others, &t->all);
        put("%-10s  %s%d others\n", "", t->other_sites.calls > 0 ? "more than " : "", t->sites - shown);
    }
}

const char *report_text(struct tables *t, int rank, double elapsed, int *length)
{
    page.used = 0;
    put_totals(t, rank, elapsed);
    if (t->all.calls > 0) {
        put_collectives(t);
        put_kinds(t);
        put_sites(t);
    }
    *length = page.used;
    return page.text;
}
