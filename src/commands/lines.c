/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of source for call sites; see lines.h. */
#include "lines.h"

#include "cli.h"
#include "codefile.h"
#include "texts.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

struct source_frame {
    char *address, *id, *name, *path; /* parts of the origin; free(address) frees all */
    bool several;                     /* other code has the same name */
    bool sought;                      /* lines_find() has looked for its line */
    char *shown;                      /* the frame's text with its line, or NULL */
};

static struct {
    struct texts names; /* a name's number is that of its frame */
    struct source_frame *frame;
    int64_t room;
    struct texts sites; /* a site's number is that of its text with lines */
    char **shown;
    int64_t shown_room;
} all;

/* ---- Origins -------------------------------------------------------------------------------------------------------- */

/* Cuts a text at `end`, which begins with a blank; returns the text behind this blank, or NULL. */
static char *cut(char *text, const char *end)
{
    char *found = text ? strstr(text, end) : NULL;
    if (found)
        *found++ = 0;
    return found;
}

void lines_tell(const char *origin)
{
    struct source_frame f = {.address = cli_copy(origin)};
    f.id = cut(f.address, " ");
    f.name = cut(f.id, " ");
    f.path = cut(f.name, " /");
    if (!f.path || strncmp(f.address, "0x", 2) != 0 || strspn(f.address, "0123456789abcdefx") != strlen(f.address)) {
        free(f.address);
        return;
    }
    utf8_unescape(f.path);
    const int64_t known = all.names.count, n = texts_add(&all.names, f.name);
    cli_enough(n >= 0 && array_reserve(&all.frame, &all.room, n + 1, sizeof f));
    if (n == known) {
        all.frame[n] = f;
    } else {
        all.frame[n].several |= strcmp(all.frame[n].address, f.address) != 0 || strcmp(all.frame[n].id, f.id) != 0;
        free(f.address);
    }
}

/* ---- Files of code -------------------------------------------------------------------------------------------------- */

/* Says why lines are missing; each reason once. */
static void hint(enum codefile_end why, const char *path)
{
    static const char *const texts[CODEFILE_ENDS] = {
        [CODEFILE_GONE] = "%s is not there any more: no file:line for its call sites",
        [CODEFILE_REBUILT] = "%s has been built anew since it ran: no file:line for its call sites",
        [CODEFILE_NO_ID] = "%s has no build-id (ld --build-id): no file:line for its call sites",
        [CODEFILE_STRIPPED] = "%s has no debug information: compile with -g to see file:line",
        [CODEFILE_NO_LIBDW] = "this pleach was built without libdw (configure --with-libdw): no file:line for call sites",
    };
    static bool said[CODEFILE_ENDS];
    if (!said[why])
        say(texts[why], path);
    said[why] = true;
}

static int by_file(const void *a, const void *b)
{
    const struct source_frame *x = *(struct source_frame *const *)a, *y = *(struct source_frame *const *)b;
    int order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->id, y->id);
}

/* Sets a frame's text, with its line. For a function of C++, the text has the name in the source. */
static void set_shown(struct source_frame *f, const struct code_line *line)
{
    const char *offset = strstr(f->name, "+0x"), *name = line->function ? line->function : f->name;
    int length = (int)(line->function || !offset ? strlen(name) : (size_t)(offset - name));
    cli_enough(asprintf(&f->shown, "%.*s (%s)", length, name, line->place) >= 0);
    make_printable(f->shown, ""); /* one line, whatever the file holds */
}

/* Finds the lines of `count` frames whose code is in one file. */
static enum codefile_end find_of_file(struct source_frame **f, int count)
{
    struct code_line *line = cli_memory((size_t)count, sizeof *line);
    for (int i = 0; i < count; i++) {
        line[i].address = strtoull(f[i]->address, NULL, 16);
        line[i].mangled = strncmp(f[i]->name, "_Z", 2) == 0;
    }
    enum codefile_end end = codefile_find(f[0]->path, f[0]->id, line, count);
    for (int i = 0; i < count; i++) {
        if (line[i].place && !f[i]->several)
            set_shown(f[i], &line[i]);
        free(line[i].function);
        free(line[i].place);
    }
    free(line);
    return end;
}

void lines_find(void)
{
    const char *stripped = NULL;
    bool found = false;
    size_t count = 0;
    struct source_frame **frame = cli_memory((size_t)all.names.count + 1, sizeof *frame);
    for (struct source_frame *f = all.frame; f < all.frame + all.names.count; f++) {
        if (!f->sought)
            frame[count++] = f;
        f->sought = true;
    }
    qsort(frame, count, sizeof *frame, by_file);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && by_file(&frame[first], &frame[next]) == 0;)
            next++;
        enum codefile_end end = find_of_file(frame + first, (int)(next - first));
        found |= end == CODEFILE_FOUND;
        if (end == CODEFILE_STRIPPED)
            stripped = frame[first]->path;
        else if (end != CODEFILE_FOUND)
            hint(end, frame[first]->path);
    }
    if (!found && stripped)
        hint(CODEFILE_STRIPPED, stripped);
    free(frame);
}

/* ---- Sites ---------------------------------------------------------------------------------------------------------- */

static const char *shown_frame(const char *name)
{
    const int64_t n = texts_find(&all.names, name);
    return n >= 0 && all.frame[n].shown ? all.frame[n].shown : name;
}

static char *shown_site(const char *site)
{
    static const char joint[] = " < ";
    char *frames = cli_copy(site);
    struct text t;
    FILE *f = text_begin(&t);
    for (char *name = frames, *next; name; name = next) {
        next = strstr(name, joint);
        if (next) {
            *next = 0;
            next += sizeof joint - 1;
        }
        fprintf(f, "%s%s", name > frames ? joint : "", shown_frame(name));
    }
    free(frames);
    return text_end(&t);
}

const char *lines_site(const char *site)
{
    const int64_t known = all.sites.count, n = texts_add(&all.sites, site);
    cli_enough(n >= 0 && array_reserve(&all.shown, &all.shown_room, n + 1, sizeof *all.shown));
    if (n == known)
        all.shown[n] = shown_site(site);
    return all.shown[n];
}

void lines_show(const struct job *j)
{
    for (int i = 0; i < j->frames; i++)
        lines_tell(j->frame[i]);
    lines_find();
    for (struct job_group *g = j->group[BY_SITE]; g < j->group[BY_SITE] + j->groups[BY_SITE]; g++) {
        const char *source = lines_site(g->site);
        if (strcmp(source, g->site) != 0)
            g->source = source;
    }
}
