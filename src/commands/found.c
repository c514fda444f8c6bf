/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds files and the job of their rank reports; see found.h. found_job() reads each rank report twice, so that memory holds
 * one at a time: first to find out which belong to the newest job, then to merge these.
 *
 * An earlier run may have left rank reports in the same folder. A rank report belongs to another job than the newest if its
 * number of ranks differs. There is a moment, in MPI_Init, in which all ranks of a job run. So a rank report also belongs to
 * an older job if it was written before the last process of the newest job started. Commands may differ within a job.
 */
#include "found.h"

#include "cli.h"
#include "index.h"
#include "job_fields.h"
#include "job_read.h"
#include "logs.h"
#include "rank_report_read.h"
#include "textfile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    char *name;
    bool log;
    bool named; /* an operand names it; else it was found in a folder */
    int rank, ranks;
    double start, end; /* when the process started, and when it wrote this report; seconds since 1970 */
    bool left_out;
};

#define PARTS ".parts" /* the ending of a folder of rank reports */

struct files {
    struct file *file;
    int count;
    int64_t room;
    double stub; /* when a file was written that names the folder of its job's rank reports; 0: there is none */
};

/* ---- Files ---------------------------------------------------------------------------------------------------------- */

char *found_text(const char *name)
{
    char why[256], *text = textfile_read_own(name, why, sizeof why);
    if (!text)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, why);
    return text;
}

enum file_type found_type(const char *text)
{
    static const struct {
        const char *begin;
        enum file_type type;
    } types[] = {{"pleach-part\t", FILE_PART},           {"seq\t", FILE_LOG},
                 {"by\tcollective\t", FILE_TEXT_REPORT}, {"by,collective,", FILE_TEXT_REPORT},
                 {"Pleach report", FILE_TEXT_REPORT},    {"{", FILE_REPORT},
                 {"<!doctype html", FILE_REPORT}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strncasecmp(text, types[i].begin, strlen(types[i].begin)) == 0)
            return types[i].type;
    return FILE_OTHER;
}

/* Reads the beginning of a file to first[size], as a text. Returns the file, or NULL if it is no regular file. */
static FILE *read_first(const char *name, char *first, size_t size)
{
    struct stat status;
    FILE *f = stat(name, &status) == 0 && S_ISREG(status.st_mode) ? fopen(name, "re") : NULL;
    first[f ? fread(first, 1, size - 1, f) : 0] = 0;
    return f;
}

enum file_type found_kind_of(const char *name)
{
    char first[24];
    FILE *f = read_first(name, first, sizeof first);
    if (f)
        fclose(f);
    return found_type(first);
}

static void add_file(struct files *all, const char *name, bool named)
{
    cli_enough(array_reserve(&all->file, &all->room, all->count + 1, sizeof *all->file));
    all->file[all->count++] = (struct file){.name = cli_copy(name), .named = named};
}

static bool is_folder(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static void add_folder(struct files *all, const char *folder)
{
    struct dirent **entry;
    int entries = scandir(folder, &entry, NULL, alphasort);
    if (entries < 0)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", folder, strerror(errno));
    for (int i = 0; i < entries; i++) {
        char name[PATH_MAX];
        struct stat status;
        snprintf(name, sizeof name, "%s/%s", folder, entry[i]->d_name);
        /* While a file is being written, its name has ".tmp" in it; see newfile.h. */
        const size_t length = strlen(name), ending = strlen(PARTS);
        if (!strstr(entry[i]->d_name, ".tmp") && stat(name, &status) == 0 && S_ISREG(status.st_mode))
            add_file(all, name, false);
        else if (length > ending && strcmp(name + length - ending, PARTS) == 0 && is_folder(name))
            add_folder(all, name);
        free(entry[i]);
    }
    free(entry);
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec > b->st_mtim.tv_nsec);
}

/* Is a file in the folder newer than this one? */
static bool has_newer(const char *folder, const struct stat *than)
{
    DIR *d = opendir(folder);
    bool newer = false;
    for (const struct dirent *entry; d && !newer && (entry = readdir(d));) {
        struct stat status;
        newer = fstatat(dirfd(d), entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode) && is_newer(&status, than);
    }
    if (d)
        closedir(d);
    return newer;
}

bool found_parts(const char *name, char folder[PATH_MAX])
{
    char first[512];
    struct stat status;
    if (snprintf(folder, PATH_MAX, "%s" PARTS, name) >= PATH_MAX || !is_folder(folder))
        return false;
    FILE *f = read_first(name, first, sizeof first);
    const bool report = found_type(first) == FILE_REPORT || found_type(first) == FILE_TEXT_REPORT,
               finished = report && !strstr(first, JOB_STUB) && fstat(fileno(f), &status) == 0;
    if (f)
        fclose(f);
    return finished ? has_newer(folder, &status) : report || !*first;
}

/*
 * If the file is the stub of a report, adds the folder of its parts, if this is there. A later job may have moved them to
 * the folder .old.
 */
static bool add_stub(struct files *all, const char *name)
{
    char first[PATH_MAX + 512], folder[PATH_MAX], old[PATH_MAX + 8];
    struct stat status;
    FILE *f = read_first(name, first, sizeof first);
    const char *stub = strstr(first, JOB_STUB), *from = stub ? stub + strlen(JOB_STUB) : "";
    if (*from && fstat(fileno(f), &status) == 0)
        all->stub = (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec;
    if (f)
        fclose(f);
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(from, "'"), from);
    snprintf(old, sizeof old, "%s.old", folder);
    const int before = all->count;
    if (*folder && is_folder(folder))
        add_folder(all, folder);
    if (*folder && is_folder(old))
        add_folder(all, old);
    return all->count > before;
}

static struct files list(char *const *operand)
{
    struct files all = {0};
    for (; *operand; operand++) {
        char parts[PATH_MAX];
        if (is_folder(*operand))
            add_folder(&all, *operand);
        else if (add_stub(&all, *operand))
            continue;
        else if (found_parts(*operand, parts))
            add_folder(&all, parts);
        else
            add_file(&all, *operand, true);
    }
    return all;
}

/* ---- Rank reports ---------------------------------------------------------------------------------------------------- */

/*
 * Reads a rank report. A file that is no valid rank report ends the command if an operand names the file. If the file comes
 * from a folder, from which it may also vanish, a message says that it is left out, and the function returns NULL.
 */
static struct rank_report *read_rank_report(const struct file *f)
{
    char why[256], *text = f->named ? found_text(f->name) : textfile_read_own(f->name, why, sizeof why);
    struct rank_report *p = text ? rank_report_read(text, strlen(text), why, sizeof why) : NULL;
    if (!p && f->named && found_type(text) == FILE_REPORT)
        cli_fail(STATUS_FAILED, "%s: this is a finished report; name it alone; see 'pleach report --help'", f->name);
    if (!p && f->named && found_type(text) == FILE_TEXT_REPORT)
        cli_fail(STATUS_FAILED, "%s: this is a report that no command reads; name one in html or json; see pleach-report(5)",
                 f->name);
    if (!p && f->named && !*text)
        cli_fail(STATUS_FAILED, "%s is empty; if the program was killed, name the folder %s" PARTS "; see pleach-report(5)",
                 f->name, f->name);
    if (!p && f->named && found_type(text) == FILE_OTHER)
        cli_fail(STATUS_FAILED,
                 "%s is no report, log or part; name what PLEACH_REPORT or PLEACH_LOG has made; see "
                 "pleach-report(5)",
                 f->name);
    if (!p && f->named)
        cli_fail(STATUS_FAILED, "%s: %s", f->name, why);
    if (!p)
        say("%s: %s; it is left out", f->name, why);
    free(text);
    return p;
}

static void read_head(struct file *f)
{
    f->log = found_kind_of(f->name) == FILE_LOG;
    struct rank_report *p = f->log ? NULL : read_rank_report(f);
    f->left_out = !p;
    if (p) {
        f->rank = p->rank;
        f->ranks = p->ranks;
        f->end = p->began + p->elapsed;
        f->start = f->end - (p->run > p->elapsed ? p->run : p->elapsed);
    }
    rank_report_free(p);
}

/* Does a rank report belong to a job that began after a stub was written? */
static bool is_later(const struct files *all, const struct file *f)
{
    return all->stub > 0 && f->start > all->stub + JOB_CLOCKS_APART;
}

/* Leaves out rank reports of other jobs than the newest, or than that of a stub, and says so. */
static void leave_out_others(struct files *all)
{
    const struct file *newest = NULL, *other = NULL;
    int others = 0;
    for (const struct file *f = all->file; f < all->file + all->count; f++)
        if (!f->left_out && !is_later(all, f) && (!newest || f->start > newest->start))
            newest = f;
    for (struct file *f = all->file; f < all->file + all->count; f++)
        if (!f->left_out && (is_later(all, f) || f->ranks != newest->ranks || f->end < newest->start - JOB_CLOCKS_APART)) {
            f->left_out = true;
            other = other ? other : f;
            others++;
        }
    if (other)
        say("%d part%s of another job %s left out: %s%s", others, plural(others), others == 1 ? "is" : "are", other->name,
            others == 1 ? "" : ", ...");
}

/* Sorts by rank, and the reports of one rank by time, the latest first. Reports that are left out come last. */
static int by_rank(const void *a, const void *b)
{
    const struct file *x = a, *y = b;
    if (x->left_out != y->left_out)
        return x->left_out ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

/* Keeps the latest report of each rank. */
static void leave_out_twice(struct files *all)
{
    const struct file *kept = NULL;
    if (all->count)
        qsort(all->file, (size_t)all->count, sizeof *all->file, by_rank);
    for (struct file *f = all->file; f < all->file + all->count && !f->left_out; f++) {
        f->left_out = kept && kept->rank == f->rank;
        if (f->left_out)
            say("%s is left out: rank %d has reported in %s", f->name, f->rank, kept->name);
        else
            kept = f;
    }
}

/* Merges the rank reports that are not left out. Returns their number. */
static int merge_reports(struct merge *j, const struct files *all)
{
    char why[256];
    int merged = 0;
    for (const struct file *f = all->file; f < all->file + all->count; f++) {
        struct rank_report *p = f->left_out ? NULL : read_rank_report(f);
        if (p && !job_add(j, p, why, sizeof why))
            cli_fail(STATUS_FAILED, "%s: %s", f->name, why);
        merged += p != NULL;
        rank_report_free(p);
    }
    return merged;
}

static void merge_logs(struct merge *j, const struct files *all, struct log_lines *lines)
{
    for (const struct file *f = all->file; f < all->file + all->count; f++)
        if (f->log) {
            FILE *log = cli_open(f->name);
            logs_add(j, log, f->name, lines);
            fclose(log);
        }
    logs_expect_one_run();
}

/* The job of the only operand, if it is a finished report; else NULL. Ends the command if there is no report yet. */
static const struct job *finished(const struct files *all)
{
    const struct file *f = all->file;
    char why[256], *text = all->count == 1 && f->named && found_kind_of(f->name) != FILE_LOG ? found_text(f->name) : NULL;
    const char *stub = text ? strstr(text, JOB_STUB) : NULL;
    const struct job *j = NULL;
    if (stub && found_type(text) != FILE_OTHER)
        cli_fail(STATUS_FAILED, "%s: this is no report yet: %.*s", f->name, (int)strcspn(stub, "\n\""), stub);
    if (text && found_type(text) == FILE_REPORT && !(j = job_read(text, why, sizeof why)))
        cli_fail(STATUS_FAILED, "%s: this report cannot be read: %s; see pleach-report(5)", f->name, why);
    free(text);
    return j;
}

const struct job *found_job(char *const *operand)
{
    struct files all = list(operand);
    struct log_lines lines = {0};
    const struct job *job = finished(&all);
    struct merge *j = job ? NULL : job_begin();
    int merged = 0;
    if (job)
        return job;
    for (struct file *f = all.file; f < all.file + all.count; f++)
        read_head(f);
    leave_out_others(&all);
    leave_out_twice(&all);
    if (j) {
        merged = merge_reports(j, &all);
        merge_logs(j, &all, &lines);
    }
    logs_tell_broken(*operand, &lines);
    if (merged && lines.records)
        cli_fail(STATUS_FAILED,
                 "logs and parts of reports make no report together; name one kind; see 'pleach report --help'");
    if (j && !merged && !lines.records)
        cli_fail(STATUS_FAILED, "there is no part of a report in %s; see pleach-report(5)", *operand);
    job = j ? job_finish(j) : NULL;
    cli_enough(job);
    for (int i = 0; i < all.count; i++)
        free(all.file[i].name);
    free(all.file);
    return job;
}
