/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of all settings. */
#include "settings.h"

#include <stddef.h>

#define FIELD(field) .offset = offsetof(struct settings, field)
#define EACH(field) .per_collective = true, FIELD(field), .stride = sizeof(((struct settings *)0)->field[0])

#define SIZE "a size (bytes, or with K, M, G; or inf)"

const int64_t usual_threshold[COLLECTIVES] = {[COLL_BCAST] = 16 << 10,
                                              [COLL_REDUCE] = 4 << 10,
                                              [COLL_SCAN] = 1 << 10,
                                              [COLL_EXSCAN] = 1 << 10,
                                              [COLL_ALLREDUCE] = 32 << 10};

const struct setting setting_list[] = {
    {"DISABLE", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "no", FIELD(disable),
     .help = "pass every call through to the MPI library"},
    {"ENGINE", SET_ENGINE, .agreed = true, .accepts = "auto, engine names (see pleach engines), ^NAME, or random:SEED",
     .initial = "auto", EACH(engine), .help = "engines that may serve"},
    {"THRESHOLD", SET_SIZE, .agreed = true, .accepts = SIZE ", or auto", .unit = "bytes", .initial = "auto", EACH(least),
     .help = "smaller messages go to the native call; auto: 16K for bcast, 4K for reduce, 1K for scan and exscan, 32K for "
             "allreduce, and less where smaller messages may gain"},
    {"BLOCK", SET_BLOCK, .agreed = true, .accepts = SIZE " of at least 1, or auto", .unit = "bytes", .initial = "auto",
     EACH(block), .help = "size of a pipelined block; auto: from the cost model"},
    {"ALPHA", SET_TIME, .agreed = true, .accepts = "seconds, or with suffix ms, us or ns, or auto", .unit = "s",
     .initial = "auto", FIELD(figures.alpha), .help = "cost model: time of a step that moves nothing"},
    {"BETA", SET_TIME, .agreed = true, .accepts = "seconds per byte, or with suffix us or ns, or auto", .unit = "s/B",
     .initial = "auto", FIELD(figures.beta), .help = "cost model: time to move a byte"},
    {"GAMMA", SET_TIME, .agreed = true, .accepts = "seconds per byte, or with suffix us or ns, or auto", .unit = "s/B",
     .initial = "auto", FIELD(figures.gamma), .help = "cost model: time to fold a byte into another"},
    {"HOP", SET_TIME, .agreed = true, .accepts = "seconds, or with suffix ms, us or ns, or auto", .unit = "s",
     .initial = "auto", FIELD(figures.hop), .help = "cost model: time that a stream's first message takes to pass a rank"},
    {"GAP", SET_TIME, .agreed = true, .accepts = "seconds, or with suffix ms, us or ns, or auto", .unit = "s",
     .initial = "auto", FIELD(figures.gap), .help = "cost model: time from one later message of a stream to the next"},
    {"BUDGET", SET_TIME, .agreed = true, .accepts = "seconds, or with suffix ms, us or ns, or auto", .unit = "s",
     .initial = "auto", FIELD(budget),
     .help = "time that measuring and trials may lose before calls have earned it; auto: that of ten calls"},
    {"REPRODUCIBLE", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "yes", FIELD(reproducible),
     .help = "measurements do not change the bits of floating-point and user-defined reductions"},
    {"SUMS", SET_SUMS, .agreed = true, .accepts = "plain or exact", .initial = "plain", EACH(exact), .off = "plain",
     .help = "exact: sums of floating-point numbers are exact and rounded once, so their bits depend on nothing else"},
    {"RULES", SET_TEXT, .accepts = "a file of rules, see pleach-rules(5)", .initial = "", FIELD(rules),
     .help = "rules that say which engine serves which calls; rank 0 reads them"},
    {"PLACES", SET_TEXT, .agreed = true, .accepts = "auto, node, none, or a file, see TOPOLOGY in pleach(7)",
     .initial = "auto", FIELD(places),
     .help =
         "which ranks are near each other; auto: measured, node: nodes alone, none: all are alike; rank 0 reads the file"},
    {"SHARED", SET_BUDGET, .agreed = true, .accepts = SIZE ", or no", .unit = "bytes", .initial = "64M", FIELD(shared),
     .help = "memory of a node that its ranks may share, to move data inside the node; no: they share none", .off = "no"},
    {"LEARN", SET_TEXT, .agreed = true, .accepts = "a file, or off: Pleach learns nothing, not even for this run",
     .initial = "", FIELD(learn), .help = "file for what this run learns, as rules for later runs; rank 0 writes it",
     .off = "off"},
    {"VERIFY", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "no", FIELD(verify),
     .help = "run the native call, too, deliver its result, and report where the engine's differs"},
    {"DRY_RUN", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "no", FIELD(dry_run),
     .help = "choose and record, but run the native call"},
    {"DRY_TRIALS", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "no", FIELD(dry_trials),
     .help = "a dry run times native calls and engines beside the program's calls, and records these times"},
    {"LOG", SET_TEXT, .accepts = "a file pattern (%r rank, %h host, %p process, %j job, %% %) or stderr", .initial = "",
     FIELD(log), .help = "write a record of every call", .off = ""},
    {"REPORT", SET_TEXT,
     .accepts = "file patterns as PLEACH_LOG does, separated by commas or blanks, a folder, stderr, or none", .initial = "",
     FIELD(report),
     .help = "in MPI_Finalize, write a summary of all calls: one for all ranks or, with %r or %p, one for each",
     .off = "none"},
    {"REPORT_EVERY", SET_PERIOD, .accepts = "a time of at least 1ms (seconds, or with suffix s, ms, us or ns), or inf",
     .unit = "s", .initial = "inf", FIELD(report_every),
     .help = "time after which the summary is written anew; inf: at the end alone"},
    {"ADVICE", SET_ADVICE, .agreed = true, .accepts = "no, yes, text, tsv, csv, json or html", .initial = "no",
     FIELD(advice),
     .help = "the report says what Pleach would do for the program, in this format; yes: in that of its name; "
             "pleach advise sets it, for a dry run",
     .off = "no"},
    {"LOG_RANKS", SET_RANKS, .accepts = "all, or ranks and ranges such as 0-3,8", .initial = "0", FIELD(log_ranks),
     .help = "ranks (of MPI_COMM_WORLD) that write records, and reports of their own"},
    {"STACK", SET_COUNT, .accepts = "a number of frames, 0 to 32", .unit = "frames", .initial = "4", FIELD(stack),
     .help = "depth of the call site in a record; 0: none"},
    {"PATIENCE", SET_PERIOD, .accepts = "a time of at least 1ms (seconds, or with suffix s, ms, us or ns), or inf",
     .unit = "s", .initial = "inf", FIELD(patience),
     .help = "time after which a waiting call says where it is and for which ranks it waits, as after SIGUSR1; inf: never"},
    {"VERBOSE", SET_BOOL, .accepts = "yes or no", .initial = "no", FIELD(verbose),
     .help = "rank 0 says in a line what runs where, and whether all ranks have the library"},
    {"STRICT", SET_BOOL, .agreed = true, .accepts = "yes or no", .initial = "no", FIELD(strict),
     .help = "a bad setting aborts the program instead of making every call native"},
    {"CONF", SET_TEXT, .accepts = "a file of lines KEY=VALUE", .initial = "", FIELD(conf),
     .help = "settings that the environment does not set"},
};

const int setting_count = sizeof setting_list / sizeof setting_list[0];
