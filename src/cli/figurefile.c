/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `pleach figures`, written and read; see figurefile.h. */
#include "figurefile.h"

#include "cli.h"

#include <string.h>

static const char *const links[LINKS] = {[LINK_NODE] = "within a node", [LINK_NETWORK] = "between nodes"};
static const char shared[] = "through shared memory";

static void put_link(FILE *f, const struct machine *m, enum link link)
{
    const struct figures *x = &m->figures[link];
    fprintf(f, "# %s: alpha %.3g s, hop %.3g s, gap %.3g s, jump %.3g s, beta %.3g s/B, gamma %.3g s/B%s\n", links[link],
            x->alpha, x->hop, x->gap, x->jump, x->beta, x->gamma,
            m->noisy[link] ? " ~ nominal: measuring was disturbed" : "");
}

void figurefile_put(FILE *f, const struct machine *m, int ranks, const char *mpi)
{
    const struct segment_figures *x = &m->segment;
    fprintf(f, "# %d ranks on %d node%s, at most %d on one; %s\n", ranks, m->nodes, plural(m->nodes), m->node_ranks, mpi);
    if (m->node_ranks > 1)
        put_link(f, m, LINK_NODE);
    if (m->cell && x->fold > 0)
        fprintf(f, "# %s: wait %.3g s, copy %.3g s/B, stream %.3g s/B, spread %.3g s/B, fold %.3g s/B\n", shared, x->wait,
                x->copy, x->stream, x->spread, x->fold);
    if (m->nodes > 1)
        put_link(f, m, LINK_NETWORK);
    for (int c = 0; c < COLLECTIVES; c++) {
        fprintf(f, "# native %s:", collective_name((enum collective)c));
        for (int i = 0; i < NATIVE_SIZES; i++)
            fprintf(f, " %.3g", m->native[c][i]);
        fputs(" of its formula\n", f);
    }
}

static const char *next_line(const char *line)
{
    line = strchr(line, '\n');
    return line ? line + 1 : NULL;
}

/* The text behind the first "# NAME:" that begins a line, or NULL. */
static const char *line_of(const char *text, const char *name)
{
    for (; text; text = next_line(text))
        if (strncmp(text, "# ", 2) == 0 && strncmp(text + 2, name, strlen(name)) == 0 && text[2 + strlen(name)] == ':')
            return text + 3 + strlen(name);
    return NULL;
}

static bool read_job(const char *text, struct machine *m, int *ranks)
{
    char library[8] = "";
    for (; text; text = next_line(text))
        if (sscanf(text, "# %9d ranks on %9d node%*[s,] at most %9d on one; %7[^\n]", ranks, &m->nodes, &m->node_ranks,
                   library) == 4) {
            m->natives = strncmp(library, "Open MP", 7) == 0 ? NATIVES_OPEN_MPI : NATIVES_MPICH;
            return m->nodes >= 1 && m->node_ranks >= 1 && *ranks >= m->nodes && *ranks >= m->node_ranks &&
                   *ranks <= MOST_RANKS;
        }
    return false;
}

/* May measuring give this number, in seconds, seconds per byte or multiples? */
static bool plausible(double x)
{
    return x >= 0 && x < 1e6;
}

/* Reads the times of native calls as multiples of their formulas; 0: unknown. */
static void read_native(const char *text, struct machine *m)
{
    for (int c = 0; c < COLLECTIVES; c++) {
        char name[32];
        double *x = m->native[c];
        snprintf(name, sizeof name, "native %s", collective_name((enum collective)c));
        const char *line = line_of(text, name);
        bool good = line;
        for (int i = 0, length = 0; i < NATIVE_SIZES && good; i++, line += length)
            good = sscanf(line, "%*[ ]%lf%n", &x[i], &length) == 1 && plausible(x[i]);
        if (!good || strncmp(line, " of", 3) != 0)
            memset(x, 0, sizeof m->native[c]);
    }
}

static bool read_link(const char *text, struct machine *m, enum link link)
{
    struct figures *x = &m->figures[link];
    const char *line = line_of(text, links[link]);
    m->noisy[link] = line && strcspn(line, "~") < strcspn(line, "\n");
    return line &&
           sscanf(line, " alpha %lf s, hop %lf s, gap %lf s, jump %lf s, beta %lf s/B, gamma %lf s/B", &x->alpha, &x->hop,
                  &x->gap, &x->jump, &x->beta, &x->gamma) == 6 &&
           plausible(x->alpha) && plausible(x->hop) && plausible(x->gap) && plausible(x->jump) && plausible(x->beta) &&
           plausible(x->gamma) && x->alpha > 0 && x->hop > 0 && x->gap > 0 && x->beta > 0;
}

const char *figurefile_read(const char *text, struct machine *m, int *ranks)
{
    struct segment_figures *x = &m->segment;
    if (!read_job(text, m, ranks))
        return "no line says how many ranks were on how many nodes";
    if (m->node_ranks > 1 && !read_link(text, m, LINK_NODE))
        return "it lacks parameters within a node";
    if (m->nodes > 1 && !read_link(text, m, LINK_NETWORK))
        return "it lacks parameters between nodes";
    if (m->node_ranks == 1)
        m->figures[LINK_NODE] = m->figures[LINK_NETWORK];
    if (m->nodes == 1)
        m->figures[LINK_NETWORK] = m->figures[LINK_NODE];
    m->measured = true;
    read_native(text, m);
    const char *line = line_of(text, shared);
    if (line && (sscanf(line, " wait %lf s, copy %lf s/B, stream %lf s/B, spread %lf s/B, fold %lf s/B", &x->wait, &x->copy,
                        &x->stream, &x->spread, &x->fold) < 5 ||
                 !plausible(x->wait + x->copy + x->stream + x->spread + x->fold) || x->wait <= 0 || x->copy <= 0 ||
                 x->stream <= 0 || x->spread <= 0 || x->fold <= 0))
        return "its parameters of shared memory are not complete";
    return NULL;
}
