/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes logs as a trace, one record after the other; see logs.h. */
#include "cli.h"
#include "found.h"
#include "logs.h"
#include "trace.h"

#include <math.h>

/* Names the track of a rank, once. */
static void name_rank(FILE *f, int rank)
{
    static uint64_t named[MOST_LOG_RANKS / 64 + 1];
    if (!(named[rank / 64] >> rank % 64 & 1))
        trace_rank(f, rank, "");
    named[rank / 64] |= UINT64_C(1) << rank % 64;
}

static void trace_log(FILE *f, FILE *log, const char *name, double epoch)
{
    struct log_reader r = {.f = log, .name = name};
    struct log_record x;
    while (logs_next(&r, &x)) {
        name_rank(f, x.rank);
        trace_call(f, &(struct traced){.rank = x.rank,
                                       .start = (x.epoch > 0 ? x.epoch - epoch : 0) + x.time,
                                       .seconds = x.seconds,
                                       .waited = -1,
                                       .collective = x.row.collective,
                                       .bytes = x.bytes,
                                       .engine = x.row.engine,
                                       .would = x.row.would,
                                       .reason = x.row.reason,
                                       .site = x.site});
    }
    logs_tell_broken(name, &r.lines);
}

bool logs_trace(char *const *operand, FILE *f)
{
    double first = INFINITY;
    bool all = true;
    for (char *const *o = operand; *o; o++) {
        if (found_kind_of(*o) != FILE_LOG)
            return false;
        FILE *log = cli_open(*o);
        const double epoch = logs_epoch(log, *o);
        fclose(log);
        all &= isfinite(epoch);
        first = fmin(first, epoch);
    }
    logs_expect_one_run();
    trace_begin(
        f, "", all ? "" : "The logs of an older Pleach do not tell when they began: each rank's clock begins with its log.");
    for (char *const *o = operand; *o; o++) {
        FILE *log = cli_open(*o);
        trace_log(f, log, *o, first);
        fclose(log);
    }
    trace_end(f);
    return true;
}
