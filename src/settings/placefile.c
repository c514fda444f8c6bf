/* SPDX-License-Identifier: BSD-2-Clause */
/* See placefile.h. */
#include "placefile.h"

#include "hash.h"
#include "index.h"
#include "say.h"
#include "settings.h"
#include "textfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place_entry {
    const char *host;
    const char *ranks;
    int path[PLACE_NAMES];
};

struct place_name {
    const char *text;
    int around;
};

struct placefile {
    bool sites;
    int entries, names;
    struct place_entry *entry;
    struct place_name *name;
    char text[]; /* the file's, cut into words for entry[] and name[] */
};

struct placefile_reading {
    struct placefile *file;
    struct index names;
    char *why;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool wrong(struct placefile_reading *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(r->why, r->size, format, ap);
    va_end(ap);
    make_printable(r->why, "");
    return false;
}

static bool same_place(const void *names, int64_t i, const void *key)
{
    const struct place_name *a = (const struct place_name *)names + i, *b = key;
    return a->around == b->around && strcmp(a->text, b->text) == 0;
}

static int number_of(struct placefile_reading *r, const char *text, int around)
{
    struct placefile *f = r->file;
    const struct place_name name = {text, around};
    const uint64_t hash = mix64(hash_text(text) + (uint64_t)around);
    const int64_t known = index_find(&r->names, hash, same_place, f->name, &name);
    if (known >= 0)
        return (int)known;
    index_add(&r->names, hash, f->names);
    f->name[f->names] = name;
    return f->names++;
}

static bool read_path(struct placefile_reading *r, char *word, int path[PLACE_NAMES])
{
    int around = PLACE_OWN, levels = 0;
    for (char *name; (name = strsep(&word, "/")); levels++) {
        if (!*name)
            return wrong(r, "a group has no name");
        if (levels == PLACE_NAMES)
            return wrong(r, "more than %d groups are nested", PLACE_NAMES);
        path[levels] = around = number_of(r, name, around);
    }
    while (levels < PLACE_NAMES)
        path[levels++] = PLACE_OWN;
    return true;
}

static bool read_line(struct placefile_reading *r, char *line)
{
    struct placefile *f = r->file;
    struct place_entry *e = &f->entry[f->entries];
    char *word = textfile_word(&line, false);
    *e = (struct place_entry){.host = word};
    if (!word)
        return true;
    char *place = textfile_word(&line, false);
    if (!place && strcmp(word, "sites") == 0)
        return f->sites = true;
    if (place && strcmp(word, "rank") == 0) {
        e->host = NULL;
        e->ranks = place;
        if (!settings_ranks_good(place))
            return wrong(r, "'%.60s' is not a list of ranks and ranges such as 0-3,8", place);
        place = textfile_word(&line, false);
    }
    if (!place)
        return wrong(r, "'%.60s' has no group", e->host ? e->host : e->ranks);
    const char *more = textfile_word(&line, false);
    if (more)
        return wrong(r, "the line has '%.60s' behind the group", more);
    f->entries++;
    return read_path(r, place, e->path);
}

struct placefile *placefile_parse(const char *text, int *line, char *why, size_t size)
{
    size_t length = strlen(text), lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    struct placefile *f = malloc(sizeof *f + length + 1);
    struct place_entry *entry = malloc(lines * sizeof *entry);
    struct place_name *name = malloc(lines * PLACE_NAMES * sizeof *name);
    struct placefile_reading r = {f, {0}, why, size};
    *line = 0;
    if (!f || !entry || !name || !index_reserve(&r.names, (int64_t)lines * PLACE_NAMES)) {
        snprintf(why, size, "out of memory");
        free(name);
        free(entry);
        free(f);
        return NULL;
    }
    *f = (struct placefile){.entry = entry, .name = name};
    memcpy(f->text, text, length + 1);
    char *rest = f->text;
    bool good = true;
    for (char *row; good && (row = strsep(&rest, "\n"));) {
        ++*line;
        good = read_line(&r, row);
    }
    free(r.names.slot);
    if (good)
        return f;
    placefile_free(f);
    return NULL;
}

void placefile_free(struct placefile *f)
{
    if (f) {
        free(f->name);
        free(f->entry);
    }
    free(f);
}

/* One may lack the domain. */
static bool same_host(const char *a, const char *b)
{
    size_t x = strcspn(a, "."), y = strcspn(b, ".");
    return strcmp(a, b) == 0 || (x == y && strncmp(a, b, x) == 0 && (!a[x] || !b[y]));
}

void placefile_path(const struct placefile *f, const char *host, int rank, int path[PLACE_NAMES])
{
    for (int level = 0; level < PLACE_NAMES; level++)
        path[level] = PLACE_OWN;
    for (const struct place_entry *e = f->entry; e < f->entry + f->entries; e++)
        if (e->host ? same_host(e->host, host) : settings_rank_listed(e->ranks, rank)) {
            memcpy(path, e->path, sizeof e->path);
            return;
        }
}

int placefile_places(const struct placefile *f)
{
    return f->names;
}

bool placefile_sites(const struct placefile *f)
{
    return f->sites;
}
