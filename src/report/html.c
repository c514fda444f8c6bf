/* SPDX-License-Identifier: BSD-2-Clause */
/* A job as one page of HTML; see html.h. */
#include "html.h"

bool job_html(const struct job *j, FILE *f)
{
    fprintf(f, "<!DOCTYPE html><title>Pleach</title><p>%d ranks\n", j->told);
    return !ferror(f);
}
