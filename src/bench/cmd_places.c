/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach places: the places that the library finds, as a table or Graphviz tree. */
#include "draw.h"
#include "bench_job.h"
#include "process.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST = 64, SHORT_LIST = 40 }; /* characters */

static char (*host)[HOST];

/* A place, or a node of one rank. */
struct place_line {
    char *name; /* "all"; "2.1": first part of the second part */
    int row;    /* in the tree of places */
    int depth;  /* boundaries around it; 0: all */
    int around; /* its line; -1: none */
    int parts;
    bool node;
    double alpha, flow, up; /* as in struct found; 0: unknown */
    char *ranks;            /* such as 0-3,8 */
};

static struct place_line *line;
static int lines;

static const struct places *tree(void)
{
    return job.comm->known.machine.places[SOURCE_MEASURED];
}

static int rank_at(int position)
{
    return tree()->order ? tree()->order[position] : position;
}

static int by_number(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static char *list_ranks(const struct place *place)
{
    char *text = NULL;
    size_t size;
    const int count = place->end - place->first;
    int *rank = job_memory(NULL, count, sizeof *rank);
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        rank[i] = rank_at(place->first + i);
    qsort(rank, (size_t)count, sizeof *rank, by_number);
    for (int first = 0, end; f && first < count; first = end) {
        for (end = first + 1; end < count && rank[end] == rank[end - 1] + 1;)
            end++;
        fprintf(f, end - first > 1 ? "%s%d-%d" : "%s%d", first ? "," : "", rank[first], rank[end - 1]);
    }
    free(rank);
    if (!f || fclose(f) != 0)
        job_abort("out of memory");
    return text;
}

static const struct found *found_of(const struct group_info *f, int rank, int depth)
{
    const struct survey *s = f ? f->survey : NULL;
    int row = s ? s->row[f->node[rank]] : -1;
    while (row >= 0 && s->place[row].level > depth)
        row = s->place[row].around;
    return row >= 0 && s->place[row].level == depth ? &s->place[row] : NULL;
}

static bool same_node(const struct place *place)
{
    const int *node = job.comm->locality.nodes->node;
    bool same = true;
    for (int i = place->first + 1; i < place->end; i++)
        same &= node[rank_at(i)] == node[rank_at(place->first)];
    return same;
}

/* "all"; "1", "2", .. in all; "1.1", .. in "1". For free(). */
static char *name_of(const char *around, int number)
{
    char *name = NULL;
    bool inner = around && strcmp(around, "all") != 0;
    int length = around ? asprintf(&name, "%s%s%d", inner ? around : "", inner ? "." : "", number) : asprintf(&name, "all");
    if (length < 0)
        job_abort("out of memory");
    return name;
}

static void add_line(const struct group_info *measured, int row, int around, int number)
{
    const struct places *t = tree();
    const int mine = lines++;
    struct place_line *l = &line[mine];
    *l = (struct place_line){.row = row, .around = around, .depth = around < 0 ? 0 : line[around].depth + 1};
    l->name = name_of(around < 0 ? NULL : line[around].name, number);
    l->parts = places_parts(t, row);
    l->node = same_node(&t->place[row]);
    l->ranks = list_ranks(&t->place[row]);
    const struct found *found = found_of(measured, rank_at(t->place[row].first), l->depth);
    if (found) {
        l->alpha = l->node ? 0 : found->alpha;
        l->flow = l->node ? 0 : found->flow;
        l->up = found->up;
    }
    if (l->node && t->place[row].next - row == l->parts + 1) /* single ranks */
        return;
    number = 0;
    for (int part = places_part(row); part < t->place[row].next; part = t->place[part].next)
        add_line(measured, part, mine, ++number);
}

int places(void)
{
    struct comm *c = job.comm;
    char mine[HOST] = "";
    if (c->locality.info->places_broken) /* a message has said so */
        job_end(STATUS_FAILED);
    gethostname(mine, sizeof mine - 1);
    for (char *s = mine; *s; s++) /* for Graphviz and tables */
        *s = (char)(isgraph((unsigned char)*s) && !strchr("\"\\", *s) ? *s : '?');
    if (c->rank == 0)
        host = job_memory(NULL, c->ranks, sizeof *host);
    bench_mpi.Gather(mine, HOST, MPI_CHAR, host, HOST, MPI_CHAR, 0, c->channel.comm);
    if (c->known.machine.nodes > 1 && !c->known.machine.oversubscribed && settings_places_measured(&process.settings))
        job_measure();
    if (c->rank == 0) {
        line = job_memory(NULL, tree()->rows, sizeof *line);
        add_line(group_info_about(c->user, true), 0, -1, 0);
    }
    return 0;
}

/* ---- Output ---------------------------------------------------------------------------------------------------------- */

static const char *host_of(const struct place_line *l)
{
    return l->node ? host[rank_at(tree()->place[l->row].first)] : "";
}

static int ranks_of(const struct place_line *l)
{
    return tree()->place[l->row].end - tree()->place[l->row].first;
}

static bool in_line(const struct place_line *l)
{
    return tree()->place[l->row].line;
}

static void put_source(void)
{
    const struct machine *m = &job.comm->known.machine;
    const char *places = process.settings.places;
    printf("%d ranks on %d node%s; ", job.ranks, m->nodes, plural(m->nodes));
    if (!settings_places_measured(&process.settings))
        printf("topology as PLEACH_PLACES=%s gives it\n", places);
    else if (m->nodes == 1)
        printf("nothing was measured, as there is only one node\n");
    else if (m->oversubscribed)
        printf("nothing was measured, as there are more ranks than usable cores on some node\n");
    else
        printf("the topology was measured\n");
}

static const char *about(char text[UNITS_TEXT], double value, bool rate)
{
    *text = 0;
    if (value > 0 && rate)
        snprintf(text, UNITS_TEXT, "%.4gMB/s", 1e-6 / value);
    else if (value > 0)
        time_about(value, text);
    return text;
}

static void put_text(void)
{
    struct columns t;
    FILE *f = cli_table(&t);
    fputs("GROUP\tRANKS\tPARTS\tLATENCY\tSTREAM\tUPLINK\tHOST\tLIST\n", f);
    for (const struct place_line *l = line; l < line + lines; l++) {
        char latency[UNITS_TEXT], stream[UNITS_TEXT], up[UNITS_TEXT];
        fprintf(f, "%*s%.50s\t%d\t", 2 * l->depth, "", l->name, ranks_of(l));
        if (l->parts)
            fprintf(f, "%d%s", l->parts, in_line(l) ? " in a line" : "");
        fprintf(f, "\t%s\t%s\t%s\t%s\t%.*s%s\n", about(latency, l->alpha, false), about(stream, l->flow, true),
                about(up, l->up, true), host_of(l), SHORT_LIST, l->ranks, strlen(l->ranks) > SHORT_LIST ? ".." : "");
    }
    put_source();
    cli_columns(&t, columns_width(stdout));
}

static void put_tsv(void)
{
    printf("place\tlevel\tranks\tparts\tline\tlatency_s\tstream_s_per_byte\tuplink_s_per_byte\thost\tlist\n");
    for (const struct place_line *l = line; l < line + lines; l++)
        printf("%s\t%d\t%d\t%d\t%s\t%.4g\t%.4g\t%.4g\t%s\t%s\n", l->name, l->depth, ranks_of(l), l->parts,
               in_line(l) ? "yes" : "no", l->alpha, l->flow, l->up, l->node ? host_of(l) : "-", l->ranks);
}

static void put_dot(FILE *f)
{
    fprintf(f,
            "digraph topology {\n"
            "    label=\"%d ranks: latency and a stream between the parts of a group; up: over its boundary\";\n"
            "    fontname=\"sans-serif\"; node [shape=box, fontname=\"sans-serif\", fontsize=11];\n",
            job.ranks);
    for (int i = 0; i < lines; i++) {
        const struct place_line *l = &line[i];
        char latency[UNITS_TEXT], stream[UNITS_TEXT], up[UNITS_TEXT];
        about(latency, l->alpha, false);
        about(stream, l->flow, true);
        about(up, l->up, true);
        fprintf(f, "    p%d [label=\"%s%s%s\\nrank%s %.*s%s%s%s%s%s%s%s%s\"%s];\n", i, l->name, l->node ? " " : "",
                host_of(l), plural(ranks_of(l)), SHORT_LIST, l->ranks, strlen(l->ranks) > SHORT_LIST ? ".." : "",
                *latency ? "\\n" : "", latency, *stream ? ", " : "", stream, *up ? "\\nup " : "", up,
                in_line(l) ? "\\nparts in a line" : "", l->node ? ", style=rounded" : "");
        if (l->around >= 0)
            fprintf(f, "    p%d -> p%d [dir=none%s];\n", l->around, i, in_line(&line[l->around]) ? ", style=dashed" : "");
    }
    fprintf(f, "}\n");
}

void places_write(void)
{
    switch (options.places_format) {
    case PLACES_TEXT:
        put_text();
        break;
    case PLACES_TSV:
        put_tsv();
        break;
    case PLACES_DOT:
        put_dot(stdout);
        break;
    case PLACES_SVG: {
        FILE *script = draw_script();
        put_dot(script);
        draw_run(script);
        break;
    }
    }
}
