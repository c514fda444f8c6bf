/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of reports: what is read has no index out of bounds and steers no terminal, and reads the same when written again. */
#include "fuzz.h"

#include "part.h"

static void check_text(const char *text)
{
    for (const char *c = text; *c; c++)
        MUST((unsigned char)*c >= ' ' && *c != 0x7f, "a text with a control character");
}

static void check(const struct part *p)
{
    const char *const texts[] = {p->host, p->command, p->pleach, p->mpi, p->settings, p->note};
    MUST(p->rank >= 0 && (p->ranks == 0 || p->rank < p->ranks) && p->end < ENDS, "rank %d of %d", p->rank, p->ranks);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_text(texts[i]);
    for (int i = 0; i < p->sites; i++)
        check_text(p->site[i]);
    for (int i = 0; i < p->rows; i++) {
        const struct part_row *r = &p->row[i];
        MUST(r->site >= -1 && r->site < p->sites && r->engine < engine_count() && r->would < engine_count(), "row %d", i);
        MUST(r->collective < COLLECTIVES && r->reason < REASONS && r->tally.calls > 0 && r->size >= -1, "row %d", i);
    }
    for (int i = 0; i < p->calls; i++) {
        const struct part_call *c = &p->call[i];
        MUST(c->site >= -1 && c->site < p->sites && c->engine < engine_count() && c->ranks > 0, "call %d", i);
    }
    for (int i = 0; i < p->others; i++)
        check_text(p->other[i].name);
}

/* The text of a part, to be freed. */
static char *written(const struct part *p, size_t *length)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, length);
    MUST(f && part_write(p, f) && fclose(f) == 0, "not written");
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    size_t length, again;
    struct part *p = part_read((const char *)data, size, why, sizeof why);
    if (!p) {
        MUST(*why, "no reason");
        return 0;
    }
    check(p);
    char *first = written(p, &length);
    struct part *q = part_read(first, length, why, sizeof why);
    MUST(q, "%s", why);
    char *second = written(q, &again);
    MUST(length == again && memcmp(first, second, length) == 0, "other when written again");
    free(first);
    free(second);
    part_free(p);
    part_free(q);
    return 0;
}
