/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of rules: read by one rank, so that all have the same; see rulefile.h. */
#include "rulefile.h"

#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 1 << 20 }; /* bytes; RULES_MOST rules are far less */

/* The first thing wrong with the text. */
struct finding {
    int line;
    char why[256];
};

static void note(void *to, int line, bool fatal, const char *why)
{
    struct finding *first = to;
    if (fatal && !first->line) {
        first->line = line;
        snprintf(first->why, sizeof first->why, "%s", why);
    }
}

/* What becomes of a job whose rules are broken. */
static void broken(struct comm *c, const char *why)
{
    bool strict = process.settings.strict;
    if (c->rank == 0)
        say("PLEACH_RULES: %s; %s", why,
            strict ? "the program is aborted, as PLEACH_STRICT says" : "every call goes to the native MPI library");
    if (c->rank == 0 && strict)
        abort_job();
}

/* The file as one string, to be freed; NULL with the reason in `why`. */
static char *read_text(const char *name, int *length, char *why, size_t size)
{
    struct stat kind;
    char *text = malloc(LARGEST + 1);
    FILE *file = NULL;
    errno = ENOMEM;
    if (text && stat(name, &kind) == 0 && !S_ISREG(kind.st_mode))
        errno = EINVAL; /* a fifo would make us wait */
    else if (text)
        file = fopen(name, "re");
    size_t got = file ? fread(text, 1, LARGEST + 1, file) : 0;
    bool failed = !file || ferror(file);
    if (failed)
        snprintf(why, size, "%s cannot be read: %s", name, strerror(errno));
    else if (got > LARGEST)
        snprintf(why, size, "%s is larger than %d bytes", name, LARGEST);
    if (file)
        fclose(file);
    if (failed || got > LARGEST) {
        free(text);
        return NULL;
    }
    text[got] = 0;
    *length = (int)got + 1;
    return text;
}

void rulefile_read(struct comm *c, struct known *k)
{
    const char *name = process.settings.rules;
    char why[3 * SETTING_TEXT] = "";
    struct finding first = {0};
    struct rules *rules = NULL;
    char *text = NULL;
    int length = 0;

    if (c->rank == 0)
        text = read_text(name, &length, why, sizeof why);
    pmpi.Bcast(&length, 1, MPI_INT, 0, c->user);
    if (length == 0) {
        broken(c, why);
        k->barred = REASON_BAD_RULES;
        return;
    }
    if (c->rank != 0)
        text = malloc((size_t)length);
    if (pmpi_agreed(c->user, text != NULL, MPI_MIN)) {
        pmpi.Bcast(text, length, MPI_CHAR, 0, c->user);
        rules = rules_parse(text, note, &first);
    }
    if (!pmpi_agreed(c->user, rules != NULL, MPI_MIN)) {
        snprintf(why, sizeof why, first.line ? "%s:%d: %s" : "%s: no memory for it", name, first.line, first.why);
        broken(c, why);
        k->barred = first.line ? REASON_BAD_RULES : REASON_NO_MEMORY;
        free(rules);
        rules = NULL;
    }
    k->rules = k->own_rules = rules;
    free(text);
}
