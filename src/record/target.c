/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a report goes; see target.h. */
#include "target.h"

#include "advice.h"
#include "newfile.h"
#include "quiet.h"
#include "say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY = PATH_MAX + 256 };

static void fail_target(struct target *t, const char *why)
{
    if (t->open)
        say("report %s: %s; it is not written", t->out.path, why);
    t->open = false;
}

void target_open(struct target *t, const char *pattern, int rank, bool advice)
{
    char path[PATH_MAX];
    int error = output_open(&t->out, pattern, rank);
    t->open = true;
    t->advice = advice;
    t->replaces = !error && t->out.fd != STDERR_FILENO && S_ISREG(t->out.file.st_mode);
    if (t->replaces) {
        output_close(&t->out);
        if (newfile_path(t->out.path, path, sizeof path))
            strcpy(t->out.path, path);
        else
            error = ENAMETOOLONG;
    }
    if (error)
        fail_target(t, write_error(error));
}

/* It begins as a report does. If it cannot be written, the report will tell. */
void target_write_stub(struct target *t, const char *folder)
{
    static const char *const begins[JOB_FORMATS] = {[JOB_TEXT] = "Pleach report\n  ",
                                                    [JOB_TSV] = "by\tcollective\t\n# ",
                                                    [JOB_HTML] = "<!doctype html>\n<title>Pleach</title>\n"};
    char text[WHY], why[WHY];
    if (!t->open || !t->replaces)
        return;
    snprintf(text, sizeof text,
             "%sThis program has not ended, or was killed. For what its ranks have recorded: pleach report %s\n",
             begins[job_format_of(t->out.path)], folder);
    newfile_write(t->out.path, text, why, sizeof why);
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

static bool write_job(const struct target *t, const struct job *job, FILE *f)
{
    const enum job_format format = job_format_of(t->out.path);
    if (t->advice)
        return advice_write(job, 0, f);
    return job_write(job, format, 0, f) && (!t->replaces || job_write_frames(job, format, f));
}

bool target_write(struct target *t, const struct job *job)
{
    char *text = NULL;
    size_t length;
    FILE *f = job && t->open ? open_memstream(&text, &length) : NULL;
    bool good = f && write_job(t, job, f);
    good = f && fclose(f) == 0 && good;
    if (good)
        good = put_text(t, text, length);
    else
        fail_target(t, "out of memory");
    free(text);
    return good;
}
