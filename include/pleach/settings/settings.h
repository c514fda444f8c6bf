/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's settings. A setting comes from the environment (PLEACH_NAME), else from the file that PLEACH_CONF names. If
 * PLEACH_CONF is not set, the site's file takes the place of that file.
 *
 * One list, setting_list, describes all settings. The parser, `pleach settings` and the agreement between ranks read it, and
 * a test compares the manual's table with it.
 */
#pragma once

#include "engine.h"
#include "facts.h"
#include "units.h"

#include <limits.h>
#include <stddef.h>

#define SETTING_TEXT 256       /* longest name, and longest value in a rule, with its NUL */
#define SETTING_VALUE PATH_MAX /* longest value, with its NUL; a value may be the name of a file */
#define PROBLEM_TEXT (SETTING_VALUE + 512)

enum setting_type {
    SET_BOOL,   /* yes/no (1/0, true/false, on/off) */
    SET_SIZE,   /* bytes, with K, M, G (2^10) or inf, or auto (-1) */
    SET_BUDGET, /* a size, or no (0) */
    SET_BLOCK,  /* a size >= 1, or auto (0) */
    SET_ENGINE, /* struct engine_setting */
    SET_SUMS,   /* plain/exact */
    SET_TIME,   /* seconds, with suffix s, ms, us or ns, or auto */
    SET_PERIOD, /* seconds of at least a millisecond, with the same suffixes, or inf (INFINITY) */
    SET_COUNT,  /* a whole number, 0 to 32 */
    SET_RANKS,  /* all, or a list of ranks and ranges */
    SET_TEXT    /* any text */
};

/* The remark in a dry run's log, behind "# ". */
#define DRY_RUN_REMARK "dry run: every call ran natively; engine is what would have served"

/* PLEACH_ENGINE: which engines may serve a collective. */
struct engine_setting {
    uint64_t rows; /* bit i: row i of the registry may serve */
    bool named;    /* the user named engines: one that fits serves, whatever the model says */
    bool random;   /* draw an engine that fits, by `seed` and the facts */
    uint64_t seed;
    bool native; /* the user named an algorithm of the MPI library (native:NAME), which may serve below the threshold, too */
};

struct settings {
    bool disable;
    struct engine_setting engine[COLLECTIVES];
    int64_t least[COLLECTIVES];     /* PLEACH_THRESHOLD as it was set; -1: auto. Sets `threshold` */
    int64_t threshold[COLLECTIVES]; /* bytes; SIZE_INF: never an engine */
    int64_t block[COLLECTIVES];     /* bytes; 0: from the model */
    struct figures figures;         /* -1: to be measured */
    double budget;                  /* seconds that measuring and trials may lose before calls have earned them; -1: auto */
    int64_t shared;                 /* bytes of a node's memory that its ranks may share; 0: none */
    bool exact[COLLECTIVES];        /* sums of floating-point numbers are exact, and rounded once */
    bool reproducible;              /* no measurement decides about the bits of a result */
    bool dry_run;                   /* choose an engine and record the call, but run the native call */
    bool dry_trials;                /* a dry run makes shadow trials */
    bool verify;                    /* run the native call, too, and compare the results */
    char rules[SETTING_VALUE];      /* file of rules, or "" */
    char places[SETTING_VALUE];     /* "auto", "node", "none", or a file of places */
    char learn[SETTING_VALUE];      /* file for learned rules; "": they end with the program; "off": none */
    char log[SETTING_VALUE];        /* file pattern, "stderr", or "": no records */
    char report[SETTING_VALUE];     /* file pattern, "stderr", "none" or "": no report */
    bool advice;                    /* the report is the one of pleach advise */
    double report_every;            /* seconds between two writings of the report of all ranks; INFINITY: at the end alone */
    char log_ranks[SETTING_VALUE];  /* as written; see settings_rank_listed() */
    int stack;                      /* frames of the call site; 0: none */
    double patience;                /* seconds that a call may wait before a message says so; INFINITY: no message */
    bool verbose;                   /* rank 0 prints a line on MPI, the ranks, rules and engines */
    bool strict;
    char conf[SETTING_VALUE]; /* file of settings, or "" */
    char bad[PROBLEM_TEXT];   /* the first bad setting, as reported; "" if all were understood */
};

/* One row of the list. A per-collective row has the variants PLEACH_BCAST_X, ..., which take precedence over PLEACH_X. */
struct setting {
    const char *name; /* without "PLEACH_" */
    enum setting_type type;
    bool per_collective;
    bool agreed;           /* must be the same on all ranks; else all calls are native */
    const char *accepts;   /* for messages and manuals: "a size (bytes, K, M, G or inf)" */
    const char *unit;      /* "bytes", "seconds", ... or "" */
    const char *initial;   /* the default, as the user would write it */
    const char *help;      /* one line */
    const char *off;       /* the value that no, off and none stand for; NULL: these are no words for off */
    size_t offset, stride; /* place in struct settings; stride between collectives */
};

extern const struct setting setting_list[];
extern const int64_t usual_threshold[COLLECTIVES]; /* bytes: what `auto` stands for */
extern const int setting_count;

/*
 * Two kinds of problems are warnings: PROBLEM_UNKNOWN (no setting has the name) and PROBLEM_IDLE (a setting names an engine
 * for a collective that the engine does not serve).
 */
enum { PROBLEM_BAD, PROBLEM_FILE, PROBLEM_UNKNOWN, PROBLEM_IDLE };

static inline bool problem_warns(int kind)
{
    return kind == PROBLEM_UNKNOWN || kind == PROBLEM_IDLE;
}

/* Something wrong with the settings of this process. */
struct problem {
    int kind;                /* PROBLEM_... */
    char text[PROBLEM_TEXT]; /* one line without "pleach: " and newline: variable, value, what is accepted */
};

/*
 * Reads all settings: defaults, then the file that PLEACH_CONF names, then the environment. In the file, and in the
 * environment, the per-collective forms are read last. `env` is a vector like environ. A bad value changes nothing: the
 * setting keeps its default or an earlier value. Calls `report` (may be NULL) once for every problem. Returns the number of
 * bad values, bad lines and unreadable files, without warnings.
 */
int settings_read(struct settings *s, char *const env[], void (*report)(void *to, const struct problem *p), void *to);

/*
 * Does the same, and reads the file `site` if `env` has no PLEACH_CONF and this file exists. An empty PLEACH_CONF means no
 * file. s->conf names the file that was read.
 */
int settings_read_site(struct settings *s, const char *site, char *const env[],
                       void (*report)(void *to, const struct problem *p), void *to);

/*
 * Writes where a value that was set comes from, as messages begin: "FILE: ", or "" for the environment. Returns the remedy
 * for the value: "remove the line" or "unset it".
 */
const char *settings_origin(const struct settings *s, const char *variable, char *where, size_t size);

/* The site's file of this installation: $(sysconfdir)/pleach.conf. */
extern const char settings_site[];

/* Writes the full name of a setting's variable; with `collective` = COLLECTIVES, the name without a collective. */
void setting_variable(const struct setting *row, int collective, char *name, size_t size);

/* Writes the settings that are not the default, as NAME=VALUE, joined by blanks. */
void settings_changed(const struct settings *s, char *text, size_t size);

/* Writes the effective value of row `i` for collective `c` (ignored unless per_collective) as the user would write it. */
void settings_print(const struct settings *s, int i, enum collective c, char *text, size_t size);

/*
 * Writes a value for the file of settings, so that reading the file gives the same value. Uses double quotes if the value
 * begins or ends with a blank, begins with a quote, or has a '#' or a newline. In quotes, a newline is \n, a quote \", a
 * backslash \\. The text takes at most twice the length of the value, plus 3 bytes.
 */
void settings_quote(const char *value, char *text, size_t size);

enum { SETTINGS_AGREED_MOST = 64 }; /* at least settings_agreed_count() */

/*
 * Agreement between ranks compares this many values: one for each agreed row, or for each of its collectives; then the text
 * of the first bad setting.
 */
int settings_agreed_count(void);

/* settings_hash() sets hash[i] to a hash of value i. settings_agreed_value() writes value i as the user would write it. */
void settings_hash(const struct settings *s, uint64_t *hash);
void settings_agreed_value(const struct settings *s, int i, char *text, size_t size);

/*
 * Returns the number of the first value that differs (at least one must), and writes its variable's name: PLEACH_THRESHOLD
 * if the thresholds of all collectives differ, PLEACH_SCAN_THRESHOLD if only that of scan does. If only the text of the
 * first bad setting differs, writes "a bad setting".
 */
int settings_difference(const bool *differs, char *name, size_t size);

/* Does the value of PLEACH_LEARN let runs learn? */
bool settings_learns(const struct settings *s);

/* Does this value of PLEACH_REPORT ask for a report? */
bool settings_report_given(const char *report);

/* The next file pattern of the value, which has *length characters; moves *rest behind it. NULL: there is none. */
const char *settings_report_next(const char **rest, size_t *length);

/* The output that the user wants of the calls: "report", or "records" for a log alone, or NULL. */
const char *settings_wanted(const struct settings *s);

/* Does PLEACH_PLACES name a file? Does it ask for measured places, or for none, so that not even nodes are places? */
bool settings_place_file(const struct settings *s);
bool settings_places_measured(const struct settings *s);
bool settings_places_none(const struct settings *s);

/* Is the text a list of ranks and ranges such as "0-3,8", or "all"? Is `rank` in it? */
bool settings_ranks_good(const char *list);
bool settings_rank_listed(const char *list, int rank);
