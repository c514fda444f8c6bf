/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading the file of rules, and which rule is for a call; see rules.h. Nothing but rules_read() allocates. */
#include "rules.h"

#include "values.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The file ------------------------------------------------------------------------------------------------------- */

/* Opens a file that can be read to its end: no folder, and nothing that would make us wait. */
static FILE *open_regular(const char *name, struct stat *status, char *why, size_t size)
{
    int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = NULL;
    bool there = fd >= 0 && fstat(fd, status) == 0;
    if (there && !S_ISREG(status->st_mode))
        snprintf(why, size, "it is not a regular file");
    else if (there && status->st_size > RULES_TEXT_MOST)
        snprintf(why, size, "it has more than %d bytes", RULES_TEXT_MOST);
    else if (!there || !(file = fdopen(fd, "r")))
        snprintf(why, size, "%s", strerror(errno));
    if (!file && fd >= 0)
        close(fd);
    return file;
}

char *rules_read(const char *name, char *why, size_t size)
{
    struct stat status;
    snprintf(why, size, "out of memory");
    FILE *file = open_regular(name, &status, why, size);
    size_t length = file ? (size_t)status.st_size : 0;
    char *text = file ? malloc(length + 1) : NULL;
    bool good = false;
    if (text) {
        size_t got = fread(text, 1, length, file);
        text[got] = 0;
        good = got == length && strlen(text) == length;
        snprintf(why, size, got < length ? "it was cut short while it was read" : "it has a NUL byte: it is no text");
    }
    if (file)
        fclose(file);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* ---- The rule for a call -------------------------------------------------------------------------------------------- */

static bool within(int64_t value, struct span span)
{
    return span.least <= value && value <= span.most;
}

/* Do all conditions but the site hold? */
static bool holds(const struct rule *rule, const struct facts *f)
{
    return rule->collectives >> f->collective & 1 && rule->ops >> f->op & 1 &&
           rule->roots >> root_place(f->root, f->ranks) & 1 && within(f->bytes, rule->bytes) &&
           within(f->ranks, rule->ranks) && within(f->machine->node_ranks, rule->node_ranks);
}

uint64_t rules_sited(const struct rules *r, const struct facts *f)
{
    uint64_t sited = 0;
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if (holds(rule, f)) {
            if (rule->sited < 0)
                break;
            sited |= (uint64_t)1 << rule->sited;
        }
    return sited;
}

/* In the C locale, fnmatch() takes bytes for characters and needs no memory. */
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site)
{
    locale_t before = uselocale(c_locale());
    uint64_t matching = 0;
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if (rule->sited >= 0 && sited >> rule->sited & 1 && fnmatch(rule->site, site, 0) == 0)
            matching |= (uint64_t)1 << rule->sited;
    uselocale(before);
    return matching;
}

const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t matching)
{
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if ((rule->sited < 0 || matching >> rule->sited & 1) && holds(rule, f))
            return rule;
    return NULL;
}
