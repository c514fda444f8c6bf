/* SPDX-License-Identifier: BSD-2-Clause */
/* See target.h. */
#include "target.h"

#include "newfile.h"
#include "quiet.h"
#include "say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY = 1024 };

static void fail_target(struct target *t, const char *why)
{
    if (t->open)
        say("report %s: %s; no report is written", t->out.path, why);
    t->open = false;
}

static void try_text(struct target *t, const char *text)
{
    char why[WHY];
    if (!t->told && !newfile_write(t->out.path, text, why, sizeof why)) {
        say("report %s; Pleach tries again when it writes the report", why);
        t->told = true;
    }
}

int target_name(struct target *t, const char *name)
{
    errno = ENAMETOOLONG;
    if (strcmp(name, "stderr") != 0 && newfile_path(name, t->out.path, sizeof t->out.path))
        return 0;
    const int error = strcmp(name, "stderr") == 0 ? 0 : errno;
    snprintf(t->out.path, sizeof t->out.path, "%s", name);
    return error;
}

void target_open(struct target *t, int error)
{
    char why[WHY];
    t->open = true;
    t->renderer = renderer_open(why, sizeof why);
    if (!t->renderer) {
        fail_target(t, why);
        return;
    }
    if (!error)
        error = output_make(&t->out, 1);
    t->replaces = !error && t->out.fd != STDERR_FILENO && S_ISREG(t->out.file.st_mode);
    if (t->replaces) {
        output_close(&t->out);
        try_text(t, "");
    }
    if (error)
        fail_target(t, write_error(error));
    else if (t->out.numbered && !t->advice)
        say("the name of the report is taken; this run writes to %s", t->out.path);
}

void target_write_stub(struct target *t, const char *folder)
{
    char *text = NULL;
    size_t length;
    FILE *f = t->open && t->replaces ? open_memstream(&text, &length) : NULL;
    if (!f)
        return;
    t->renderer->write_stub(t->out.path, folder, f);
    if (fclose(f) == 0)
        try_text(t, text);
    free(text);
}

static bool put_text(struct target *t, const char *text, size_t length)
{
    char why[WHY];
    if (t->replaces) {
        t->open = newfile_write(t->out.path, text, why, sizeof why);
        if (!t->open)
            say("report %s", why);
        return t->open;
    }
    int error = output_write(&t->out, text, length);
    output_close(&t->out);
    if (error)
        fail_target(t, write_error(error));
    t->open = false;
    return error == 0;
}

bool target_write(struct target *t, struct merge *m, int merged, bool *ended)
{
    char *text = NULL;
    size_t length;
    FILE *f = m && merged > 0 && t->open ? open_memstream(&text, &length) : NULL;
    bool good = f && t->renderer->write(m, t->out.path, t->own, t->advice, f, ended);
    good = f && fclose(f) == 0 && good;
    if (good)
        good = put_text(t, text, length);
    else
        fail_target(t, m && merged == 0 ? "no rank report could be read" : "out of memory");
    free(text);
    return good;
}
