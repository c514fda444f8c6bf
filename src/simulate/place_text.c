/* SPDX-License-Identifier: BSD-2-Clause */
/* See place_text.h. */
#include "place_text.h"

struct reader {
    const char *at;
    int most;
    const char *why;
    struct places *t;
};

static bool wrong(struct reader *r, const char *why)
{
    r->why = r->why ? r->why : why;
    return false;
}

static bool read_number(struct reader *r, int *number)
{
    long value = 0;
    if (*r->at < '0' || *r->at > '9')
        return wrong(r, "a number or '(' is missing");
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if ((value = 10 * value + *r->at - '0') > r->most)
            return wrong(r, "too many ranks");
    *number = (int)value;
    return value > 0 || wrong(r, "a group without ranks");
}

static bool read_list(struct reader *r, int row, int *at, int levels);

static bool read_part(struct reader *r, int *at, int levels)
{
    int count = 0, row;
    if (levels < 1)
        return wrong(r, "too many levels");
    if (*r->at == '(') {
        r->at++;
        row = places_open(r->t, *at);
        if (!read_list(r, row, at, levels))
            return false;
        places_close(r->t, row, *at);
        return *r->at++ == ')' || wrong(r, "')' is missing");
    }
    if (!read_number(r, &count))
        return false;
    if (*r->at != 'x') {
        r->most -= count;
        row = places_open(r->t, *at);
        *at = places_add(r->t, *at, count);
        places_close(r->t, row, *at);
        return true;
    }
    row = places_open(r->t, *at);
    const char *part = r->at + 1;
    for (int i = 0; i < count; i++) {
        r->at = part;
        if (!read_part(r, at, levels - 1))
            return false;
    }
    places_close(r->t, row, *at);
    return true;
}

static bool read_list(struct reader *r, int row, int *at, int levels)
{
    char between = 0;
    for (;;) {
        if (!read_part(r, at, levels - 1))
            return false;
        if (*r->at != ',' && *r->at != '-')
            break;
        if (between && *r->at != between)
            return wrong(r, "',' and '-' in one list");
        between = *r->at++;
    }
    r->t->place[row].line = between == '-';
    return true;
}

struct places *places_read(const char *text, int most, const char **why)
{
    struct reader r = {.at = text, .most = most, .t = places_new(most)};
    int at = 0;
    *why = "not enough memory";
    if (!r.t)
        return NULL;
    int row = places_open(r.t, 0);
    if (read_list(&r, row, &at, PLACES_DEPTH + 2) && *r.at)
        wrong(&r, "the rest is not understood");
    if (r.why) {
        *why = r.why;
        places_free(r.t);
        return NULL;
    }
    places_close(r.t, row, at);
    return places_ready(r.t);
}
