/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach log: sums up the records of logs, as tables or as bars that gnuplot draws. */
#include "cli.h"
#include "colour.h"
#include "draw.h"
#include "engine.h"
#include "lines.h"
#include "summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_TSV, FORMAT_SVG };
enum { BARS = 20, LABEL = 60 }; /* bars of a picture without --top; characters of the longest name beside a bar */

static int format = FORMAT_TEXT, by = GROUPINGS; /* GROUPINGS: not given */
static int64_t top;                              /* 0: not given */

/*
 * Does the command print this grouping? Without --by, it prints all groupings. But a table of a single rank or communicator
 * says nothing, so only tsv has it, for scripts.
 */
static bool wanted(const struct summary *s, int grouping)
{
    bool alone = (grouping == LOG_RANK || grouping == LOG_COMM) && s->by[grouping].names.count < 2;
    return by == grouping || (by == GROUPINGS && !(alone && format != FORMAT_TSV));
}

static int shown(const struct sums *g)
{
    int64_t most = top ? top : format == FORMAT_SVG ? BARS : g->names.count;
    return (int)(most < g->names.count ? most : g->names.count);
}

static double share(const struct summary *s, double seconds)
{
    return s->all.tally.seconds > 0 ? seconds / s->all.tally.seconds : 0;
}

/* ---- text and tsv --------------------------------------------------------------------------------------------------- */

static void put_table(const struct summary *s, int grouping)
{
    const struct sums *all = &s->by[grouping];
    const int rows = shown(all), more = (int)all->names.count - rows;
    struct columns table;
    FILE *f = cli_table(&table);
    char text[UNITS_TEXT];
    double rest = 0;
    fputs("CALLS\tBYTES\tTIME\tSHARE\tMEAN\tMEDIAN\tMIN\tMAX\tFIRST\t", f);
    for (const char *c = grouping == LOG_SIZE ? "up to" : grouping_name(grouping); *c; c++) /* UP TO, as in reports */
        putc(toupper((unsigned char)*c), f);
    putc('\n', f);
    for (int i = 0; i < rows; i++) {
        const struct sum *g = all->sorted[i];
        const struct tally *t = &g->tally;
        fprintf(f, "%lld\t", (long long)t->calls);
        columns_size(f, t->bytes);
        columns_time(f, t->seconds);
        fprintf(f, "%s\t", share_about(t->seconds, s->all.tally.seconds, text));
        columns_time(f, t->seconds / (double)t->calls);
        columns_time(f, g->middle);
        columns_time(f, t->least);
        columns_time(f, t->most);
        if (g->first > 0)
            columns_time(f, g->first);
        else
            putc('\t', f);
        fprintf(f, "%s\n", g->shown);
    }
    putchar('\n');
    cli_columns(&table, columns_width(stdout));
    for (int i = rows; i < rows + more; i++)
        rest += all->sorted[i]->tally.seconds;
    if (more)
        printf("... and %d more, with %s of the time\n", more, share_about(rest, s->all.tally.seconds, text));
}

static void put_text(const struct summary *s, int files)
{
    char bytes[UNITS_TEXT], seconds[UNITS_TEXT];
    if (s->dry)
        printf("calls of dry runs ran natively; ENGINE is what would have served them\n");
    printf("%lld call%s in %d file%s: %s bytes, %s\n", (long long)s->all.tally.calls, plural(s->all.tally.calls), files,
           plural(files), size_about(s->all.tally.bytes, bytes), time_about(s->all.tally.seconds, seconds));
    if (s->firsts)
        printf("%lld of them, the first of each collective, communicator and size, took %s, %.1f%%\n", (long long)s->firsts,
               time_about(s->all.first, seconds), 100 * share(s, s->all.first));
    for (int i = 0; i < GROUPINGS && s->all.tally.calls; i++)
        if (wanted(s, i))
            put_table(s, i);
}

static void put_tsv(const struct summary *s)
{
    printf("by\tname\tcalls\tbytes\tseconds\tshare\tmean_s\tmin_s\tmax_s\tmedian_s\tfirst_s\n");
    for (int i = 0; i < GROUPINGS; i++)
        for (int j = 0; wanted(s, i) && j < shown(&s->by[i]); j++) {
            const struct sum *g = s->by[i].sorted[j];
            const struct tally *t = &g->tally;
            printf("%s\t%s\t%lld\t%.0f\t%.9g\t%.6f\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", grouping_name(i), g->name,
                   (long long)t->calls, t->bytes, t->seconds, share(s, t->seconds), t->seconds / (double)t->calls, t->least,
                   t->most, g->middle, g->first);
        }
}

/* ---- svg ------------------------------------------------------------------------------------------------------------ */

/* A name for gnuplot's double quotes: a character that cannot stand there becomes '?', and a long name ends in dots. */
static const char *label(const char *name, char text[LABEL + 1])
{
    int length = 0;
    for (; length < LABEL && name[length]; length++)
        text[length] = isprint((unsigned char)name[length]) && !strchr("\"\\`", name[length]) ? name[length] : '?';
    text[length] = 0;
    if (name[length])
        memset(text + length - 3, '.', 3);
    return text;
}

/* The engines among the names of the bars; bit i: row i of the registry. */
static uint64_t engines_among(const struct sums *all)
{
    uint64_t rows = 0;
    for (int i = 0; i < shown(all); i++) {
        const struct engine *e = engine_find(all->sorted[i]->name);
        rows |= e ? (uint64_t)1 << engine_row(e) : 0;
    }
    return rows;
}

static int put_bars(FILE *script, const struct summary *s, int grouping, size_t *widest)
{
    const struct sums *all = &s->by[grouping];
    const char *colour[COLOURED];
    char text[LABEL + 1];
    engine_colours(engines_among(all), colour);
    fprintf(script, "$%s << EOD\n", grouping_name(grouping));
    for (int i = 0; i < shown(all); i++) {
        const struct sum *g = all->sorted[i];
        const struct engine *e = grouping == LOG_ENGINE ? engine_find(g->name) : NULL;
        fprintf(script, "%.9g \"%s\" \"%lld call%s, %.1f %%\" %ld\n", g->tally.seconds, label(g->shown, text),
                (long long)g->tally.calls, plural(g->tally.calls), 100 * share(s, g->tally.seconds),
                strtol((e ? colour[engine_row(e)] : "#4682b4") + 1, NULL, 16));
        *widest = strlen(text) > *widest ? strlen(text) : *widest;
    }
    fprintf(script, "EOD\n");
    return shown(all);
}

/* Writes the pictures of the wanted groupings, one below the other, with bars of the same height. */
static void put_script(FILE *script, const struct summary *s)
{
    enum { HEAD = 90, BAR = 20 }; /* heights, in pixels */
    int bars[GROUPINGS] = {0};
    double height = 0, below = 0;
    size_t widest = 0;
    for (int i = 0; i < GROUPINGS; i++)
        if (wanted(s, i)) {
            bars[i] = put_bars(script, s, i, &widest);
            height += HEAD + BAR * bars[i];
        }
    fprintf(
        script,
        "set terminal svg size 1100,%.0f dynamic noenhanced font 'sans-serif,11'\nset multiplot\nunset key\n"
        "set lmargin %zu\nset rmargin 4\nset tmargin 3\nset bmargin 2\nset tics out nomirror\nset grid x lc rgb '#dddddd'\n"
        "set style fill solid 0.7 noborder\n",
        height, widest + 2);
    for (int i = 0; i < GROUPINGS; i++)
        if (bars[i]) {
            double part = HEAD + BAR * bars[i], most = s->by[i].sorted[0]->tally.seconds;
            below += part;
            fprintf(script,
                    "set size 1,%.6f\nset origin 0,%.6f\nset title 'seconds in calls, by %s: %d of %d'\n"
                    "set xrange [0:%.9g]\nset yrange [%d-0.5:-0.5]\n"
                    "plot $%s using 1:0:(0):1:($0-0.4):($0+0.4):4:ytic(2) with boxxyerror lc rgb variable, "
                    "'' using 1:0:3 with labels left offset 0.5,0\n",
                    part / height, 1 - below / height, grouping_name(i), bars[i], (int)s->by[i].names.count,
                    most > 0 ? 1.3 * most : 1, bars[i], grouping_name(i));
        }
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static void show_lines(const struct sums *sites)
{
    if (sites->names.count)
        lines_find();
    for (int64_t i = 0; i < sites->names.count; i++)
        sites->sum[i].shown = lines_site(sites->sum[i].name);
}

static int sum_up(char **operand)
{
    static struct summary s;
    int files = 0;
    for (int i = 0; i < GROUPINGS; i++)
        s.wanted[i] = by == GROUPINGS || by == i;
    for (; operand[files]; files++) {
        bool standard = strcmp(operand[files], "-") == 0;
        FILE *f = standard ? stdin : cli_open(operand[files]);
        const char *name = standard ? "standard input" : operand[files];
        const int64_t calls = s.all.tally.calls, before = s.broken;
        summary_add(&s, f, name);
        if (!standard)
            fclose(f);
        const int64_t broken = s.broken - before;
        if (broken && s.all.tally.calls == calls)
            cli_fail(STATUS_FAILED, "%s has no records: %lld line%s not understood", name, (long long)broken,
                     broken == 1 ? " was" : "s were");
    }
    if (format == FORMAT_SVG && !s.all.tally.calls)
        cli_fail(STATUS_FAILED, "no records: there is nothing to draw");
    for (int i = 0; i < GROUPINGS; i++)
        sums_finish(&s.by[i]);
    if (format != FORMAT_TSV)
        show_lines(&s.by[LOG_SITE]);
    if (format == FORMAT_SVG) {
        FILE *script = draw_script();
        put_script(script, &s);
        draw_run(script, draw_gnuplot);
    } else if (format == FORMAT_TSV) {
        put_tsv(&s);
    } else {
        put_text(&s, files);
    }
    if (s.broken)
        say("%lld line%s not understood", (long long)s.broken, s.broken == 1 ? " was" : "s were");
    return 0;
}

static const struct command_option options[] = {
    {"by", "site|engine|reason|collective|size|rank|comm", "print this table alone; default: all tables", OPTION_WORD, 0, 0,
     &by},
    {"top", "N", "print the N lines with the most time; default: all, and 20 in an svg", OPTION_NUMBER, 1, INT32_MAX, &top},
    {"format", "text|tsv|svg", "default text", OPTION_WORD, 0, 0, &format},
    {0},
};

const struct command command_log = {
    .name = "log",
    .usage = "FILE... [OPTION...]",
    .summary = "sum up the records of logs: by call site, engine, reason, collective",
    .details = "Sums up the records that the library wrote to PLEACH_LOG. A line of a table has the number of calls, their\n"
               "bytes, their time and its share in the time of all calls; the mean, median, least and most time of a call;\n"
               "and the time of the first call of each collective, communicator and size. The line with the most time\n"
               "comes first. Records of several ranks add up. `-' is standard input.\n",
    .options = options,
    .least = 1,
    .most = INT32_MAX,
    .work = sum_up,
};
