/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's settings: from the environment (PLEACH_NAME), else from the file of PLEACH_CONF, or without that from the
 * site's file. setting_list describes them all.
 */
#pragma once

#include "engine.h"
#include "facts.h"
#include "units.h"

#include <limits.h>
#include <stddef.h>

#define SETTING_TEXT 256
#define SETTING_VALUE PATH_MAX
#define PROBLEM_TEXT (SETTING_VALUE + 512)

enum setting_type {
    SET_BOOL,
    SET_SIZE,   /* bytes; auto: -1 */
    SET_BUDGET, /* a size, or no (0) */
    SET_BLOCK,  /* a size >= 1, or auto (0) */
    SET_ENGINE,
    SET_SUMS,   /* plain/exact */
    SET_ADVICE, /* no, yes, or a format */
    SET_TIME,   /* seconds */
    SET_PERIOD, /* of a millisecond or more, or inf */
    SET_COUNT,  /* 0 to 32 */
    SET_RANKS,  /* all, or ranks and ranges */
    SET_TEXT
};

/* Formats of an advice, in the order of enum job_format (job.h). */
#define ADVICE_FORMATS "text|tsv|csv|json|html"

/* In a dry run's log, behind "# ". */
#define DRY_RUN_REMARK "dry run: every call ran natively; engine is what would have served"

/* PLEACH_ENGINE, for a collective. */
struct engine_setting {
    uint64_t rows; /* bit i: row i of the registry */
    bool named;    /* by the user: an engine that fits serves, whatever the model says */
    bool random;   /* draw one that fits, by `seed` and the facts */
    uint64_t seed;
    bool native; /* the user named a native:NAME */
};

struct settings {
    bool disable;
    struct engine_setting engine[COLLECTIVES];
    int64_t least[COLLECTIVES];     /* PLEACH_THRESHOLD in bytes; -1: auto. Sets `threshold` */
    int64_t threshold[COLLECTIVES]; /* bytes; SIZE_INF: never an engine */
    int64_t block[COLLECTIVES];     /* bytes; 0: by the model */
    struct figures figures;         /* -1: measured */
    double budget;                  /* seconds for measuring and trials before calls have earned them; -1: auto */
    int64_t shared;                 /* bytes of a node's memory for its ranks; 0: none */
    int exact[COLLECTIVES];         /* 0: plain, 1: exact */
    bool reproducible;
    bool dry_run;
    bool dry_trials;
    bool verify;
    char rules[SETTING_VALUE]; /* a file, or "" */
    char places[SETTING_VALUE];
    char learn[SETTING_VALUE];     /* a file; "": until the program ends; "off" */
    char log[SETTING_VALUE];       /* pattern, "stderr", or "" */
    char report[SETTING_VALUE];    /* pattern, "stderr", "none" or "" */
    int advice;                    /* 0: no; 1: yes; n + 2: as format n of ADVICE_FORMATS */
    double report_every;           /* seconds; INFINITY: at the end alone */
    char log_ranks[SETTING_VALUE]; /* see settings_rank_listed() */
    int stack;                     /* frames of a call site */
    double patience;               /* seconds that a call may wait before a message; INFINITY: no message */
    bool verbose;
    bool strict;
    char conf[SETTING_VALUE]; /* a file, or "" */
    char bad[PROBLEM_TEXT];
};

/* If per_collective, PLEACH_BCAST_X, .. take precedence over PLEACH_X. */
struct setting {
    const char *name;
    enum setting_type type;
    bool per_collective;
    bool agreed; /* alike on all ranks; else all calls are native */
    const char *accepts;
    const char *unit;    /* "bytes", "seconds", .. or "" */
    const char *initial; /* as written */
    const char *help;
    const char *off;       /* what no, off and none stand for; or NULL */
    size_t offset, stride; /* in struct settings; between collectives */
};

extern const struct setting setting_list[];
extern const int64_t usual_threshold[COLLECTIVES]; /* the bytes that `auto` stands for */
extern const int setting_count;

/* UNKNOWN and IDLE are warnings: no such setting; an engine named for a collective that it does not serve. */
enum { PROBLEM_BAD, PROBLEM_FILE, PROBLEM_UNKNOWN, PROBLEM_IDLE, PROBLEM_RULES, PROBLEM_PLACES, PROBLEMS };

static inline bool problem_warns(int kind)
{
    return kind == PROBLEM_UNKNOWN || kind == PROBLEM_IDLE;
}

/* The end of a line about a problem: "; what happens now; where to read". */
const char *problem_end(int kind, bool strict);

struct problem {
    int kind;
    char text[PROBLEM_TEXT]; /* one line without "pleach: ": variable, value, what is accepted */
};

/*
 * Reads defaults, the file of PLEACH_CONF, the environment (`env` as environ); forms of collectives last. A bad value
 * changes nothing. `report`, or NULL, gets each problem. Returns the number of bad values, lines and files, without
 * warnings.
 */
int settings_read(struct settings *s, char *const env[], void (*report)(void *to, const struct problem *p), void *to);

/*
 * Also reads the file `site`, if it exists, and `env` has no PLEACH_CONF, not even an empty one. s->conf is the file read.
 */
int settings_read_site(struct settings *s, const char *site, char *const env[],
                       void (*report)(void *to, const struct problem *p), void *to);

/*
 * Writes where a value comes from: "FILE: ", or "" for the environment. Returns the remedy: "remove the line" or "unset it".
 */
const char *settings_origin(const struct settings *s, const char *variable, char *where, size_t size);

/* The site's file: $(sysconfdir)/pleach.conf. */
extern const char settings_site[];

/* Writes the variable's name; for COLLECTIVES without a collective. */
void setting_variable(const struct setting *row, int collective, char *name, size_t size);

/* Writes the settings that are not the default: NAME=VALUE, joined by blanks. */
void settings_changed(const struct settings *s, char *text, size_t size);

/* Writes the value of row `i`, for `c` if per_collective, as the user would. */
void settings_print(const struct settings *s, int i, enum collective c, char *text, size_t size);

/*
 * Writes a value for the file of settings: in quotes if it begins or ends with a blank, begins with a quote, or has '#' or a
 * newline; then \n, \" and \\ are escapes. At most twice the length and 3 bytes.
 */
void settings_quote(const char *value, char *text, size_t size);

enum { SETTINGS_AGREED_MOST = 64 };

/* The number of values that ranks compare: of agreed rows, perhaps by collective; then the first bad setting. */
int settings_agreed_count(void);

/* Hashes the values that ranks compare; writes value i as the user would. */
void settings_hash(const struct settings *s, uint64_t *hash);
void settings_agreed_value(const struct settings *s, int i, char *text, size_t size);

/*
 * Returns the number of the first that differs, and writes its variable: PLEACH_THRESHOLD if all collectives differ, else
 * for example PLEACH_SCAN_THRESHOLD; or "a bad setting".
 */
int settings_difference(const bool *differs, char *name, size_t size);

bool settings_learns(const struct settings *s);

bool settings_report_given(const char *report);

/* The next pattern, of *length characters, or NULL; moves *rest behind it. */
const char *settings_report_next(const char **rest, size_t *length);

/* What the user wants of the calls: "report", "records" for a log alone, or NULL. */
const char *settings_wanted(const struct settings *s);

/* Does PLEACH_PLACES name a file? Ask for measured places? For none, not even nodes? */
bool settings_place_file(const struct settings *s);
bool settings_places_measured(const struct settings *s);
bool settings_places_none(const struct settings *s);

/* Is it a list such as "0-3,8", or "all"? Is the rank in it? */
bool settings_ranks_good(const char *list);
bool settings_rank_listed(const char *list, int rank);
