/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach doctor: says whether Pleach is active here, or would be active for a program. If not, it says why. */
#include <config.h> /* PACKAGE_VERSION, LIBUNWIND_SONAME */

#include "doctor.h"

#include "cli.h"
#include "parts.h"
#include "policy.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The installation ---------------------------------------------------------------------------------------------- */

/* Examines libpleach.so and writes its path, of at most PATH_MAX characters. False if the library cannot be preloaded. */
static bool tell_library(char *path)
{
    if (!parts_find(PART_LIBRARY, path)) {
        doctor_tell(VERDICT_PROBLEM,
                    "libpleach.so is neither beside this command nor in " PLEACH_LIBDIR "; install Pleach again");
        return false;
    }
    if (strpbrk(path, " :")) {
        doctor_tell(VERDICT_PROBLEM, "%s cannot be preloaded: its name has a space or colon; move it", path);
        return false;
    }
    if (!dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        doctor_tell(VERDICT_PROBLEM, "the library cannot be loaded: %s", dlerror());
        return false;
    }
    doctor_tell(VERDICT_OK, "Pleach " PACKAGE_VERSION ": %s", path);
    return true;
}

/* Reports the parts for the interfaces of MPI. */
static void tell_parts(void)
{
    static const enum mpi all[] = {MPI_MPICH, MPI_OPEN_MPI, MPI_STANDARD};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (parts_find(parts_for(all[i]), path))
            doctor_tell(VERDICT_OK, "for %s: %s", mpi_name(all[i]), path);
        else
            doctor_tell(VERDICT_NOTE, "%s is not installed: programs for %s run without Pleach",
                        parts_name(parts_for(all[i])), mpi_name(all[i]));
}

static void tell_libunwind(const struct settings *s)
{
    const char *soname = LIBUNWIND_SONAME;
    if (s->stack == 0 || (*soname && dlopen(soname, RTLD_NOW | RTLD_LOCAL)))
        return;
    doctor_tell(VERDICT_NOTE,
                *soname ? "%s cannot be loaded: call sites in logs and reports are addresses; install libunwind"
                        : "%sbuilt without libunwind: a call site in logs and reports is the caller's address alone",
                soname);
}

/* ---- The environment ----------------------------------------------------------------------------------------------- */

static void tell_complaint(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell_complaint(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    doctor_vtell(VERDICT_PROBLEM, format, ap);
    va_end(ap);
}

/*
 * Reports a problem if Pleach cannot write to the folder of a file that a setting names, or to the file if it is a device
 * or a pipe. Some settings allow no pipes. Leaves out folders with '%' in their names. A file without a folder goes to the
 * working directory, unless its name is a word with another meaning.
 */
static void tell_folder(const char *setting, const char *file, bool pipes)
{
    const char *slash = strrchr(file, '/');
    struct stat about;
    if (!*file || choice_among(file, "none|off|stderr"))
        return;
    if (stat(file, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        if (access(file, W_OK) != 0)
            doctor_tell(VERDICT_PROBLEM, "%s=%s: it cannot be written: %s", setting, file, strerror(errno));
        else if (!pipes && !S_ISCHR(about.st_mode))
            doctor_tell(VERDICT_PROBLEM, "%s=%s: it is not a regular file", setting, file);
        return;
    }
    char *folder = slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
    if (folder && !strchr(folder, '%') && access(folder, W_OK | X_OK) != 0)
        doctor_tell(VERDICT_PROBLEM, "%s=%s: nothing can be written to %s: %s", setting, file, folder, strerror(errno));
    free(folder);
}

static void tell_settings(struct settings *s)
{
    char names[CALLS_TEXT], changed[SETTING_VALUE], where[PROBLEM_TEXT], file[SETTING_VALUE];
    size_t length;
    int before = doctor_problems;
    bool good = cli_settings_serve(s, tell_complaint);
    unsigned off = good && !s->disable ? policy_switched_off(s) : 0;
    if (s->disable) {
        const char *remedy = settings_origin(s, "PLEACH_DISABLE", where, sizeof where);
        doctor_tell(VERDICT_PROBLEM, "%sPLEACH_DISABLE=yes: every call goes to the native MPI library; %s", where, remedy);
    }
    if (off)
        doctor_tell(off == CALLS_ALL ? VERDICT_PROBLEM : VERDICT_NOTE,
                    "%s: every call goes to the native MPI library, as settings of engines or thresholds say",
                    doctor_calls(off, names));
    if (s->dry_run)
        doctor_tell(VERDICT_NOTE, "PLEACH_DRY_RUN=yes: engines are chosen, but every call goes to the native MPI library");
    if (s->verify)
        doctor_tell(VERDICT_NOTE,
                    "PLEACH_VERIFY=yes: each call that an engine serves also runs natively, and takes longer than without "
                    "Pleach");
    tell_folder("PLEACH_LOG", s->log, true);
    for (const char *pattern, *rest = s->report; (pattern = settings_report_next(&rest, &length));) {
        snprintf(file, sizeof file, "%.*s", (int)length, pattern);
        tell_folder("PLEACH_REPORT", file, true);
    }
    tell_folder("PLEACH_LEARN", s->learn, false);
    if (doctor_problems > before)
        return;
    settings_changed(s, changed, sizeof changed);
    doctor_tell(VERDICT_OK, "settings: %s", changed[0] ? changed : "the defaults");
}

/* Is the library preloaded into this process? */
static bool preloaded(void)
{
    char path[PATH_MAX];
    return parts_find(PART_LIBRARY, path) && dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

/* Does a name from LD_PRELOAD stand for the installed library? */
static bool is_own(const char *name)
{
    char path[PATH_MAX], own[PATH_MAX];
    return strcmp(name, parts_name(PART_LIBRARY)) == 0 ||
           (realpath(name, path) && parts_find(PART_LIBRARY, own) && strcmp(path, own) == 0);
}

/* Examines a name in LD_PRELOAD that is none of Pleach's. `first`: the name stands before that of Pleach's library. */
static void tell_other(const char *name, bool first)
{
    char path[PATH_MAX];
    if (strchr(name, '/') && access(name, R_OK) != 0)
        doctor_tell(VERDICT_PROBLEM, "LD_PRELOAD names %s, which is not there", name);
    else if (realpath(name, path) && parts_is_library(path))
        doctor_tell(VERDICT_PROBLEM, "LD_PRELOAD names another %s: %s; take it out", strrchr(path, '/') + 1, path);
    else if (library_defines_calls(name) && first)
        doctor_tell(VERDICT_PROBLEM,
                    "LD_PRELOAD names Pleach's library behind %s, which takes the calls, so that Pleach sees none; "
                    "name Pleach's library first, as 'pleach run' does",
                    name);
    else if (library_defines_calls(name))
        doctor_tell(VERDICT_NOTE, "LD_PRELOAD names %s, which does not see the calls that Pleach serves", name);
}

/* Examines LD_PRELOAD, which programs that are started from here inherit. `loaded`: see preloaded(). */
static void tell_preload(bool loaded)
{
    const char *preload = getenv("LD_PRELOAD");
    char *names = strdup(preload ? preload : ""), *rest = NULL;
    bool first = loaded;
    cli_enough(names);
    for (char *name = strtok_r(names, " :", &rest); name; name = strtok_r(NULL, " :", &rest))
        if (is_own(name))
            first = false;
        else
            tell_other(name, first);
    if (loaded)
        doctor_tell(VERDICT_OK, "libpleach.so is preloaded here, and into all that is started from here");
    else
        doctor_tell(VERDICT_NOTE, "nothing of Pleach is preloaded here; 'pleach run' preloads the library");
    free(names);
}

/* ---- The command --------------------------------------------------------------------------------------------------- */

static int examine(char **operand)
{
    static struct settings s;
    static struct program p;
    char library[PATH_MAX];
    if (!is_speaker()) { /* in a job, rank 0 alone speaks */
        if (operand[0])
            program_examine(operand[0], &p);
        doctor_ranks(&p);
        return 0;
    }
    doctor_begin();
    bool loaded = preloaded(); /* before tell_library() loads one */
    bool good = tell_library(library);
    if (good)
        tell_parts();
    tell_settings(&s);
    doctor_shared(&s);
    tell_libunwind(&s);
    if (good)
        tell_preload(loaded);
    if (operand[0])
        doctor_program(operand[0], &p);
    const char *launcher = doctor_job(&s, p.mpi);
    if (operand[0] && doctor_problems == 0 && launcher)
        doctor_tell(VERDICT_OK, "nothing stands in the way of: %s -n P pleach run %s%s", launcher, operand[0],
                    p.mpi == MPI_NONE && strncmp(launcher, "mpi", 3) == 0 ? ", if that is the launcher of the program's MPI"
                                                                          : "");
    doctor_ranks(&p);
    doctor_end();
    return doctor_problems ? STATUS_FAILED : 0;
}

static const struct command_option options[] = {
    CLI_FORMAT(""),
    CLI_COLOR,
    {0},
};

const struct command command_doctor = {
    .name = "doctor",
    .usage = "[PROGRAM] [OPTION...]",
    .summary = "say whether Pleach is active here, or would be for a program, and if not, why",
    .details = "Examines libraries, settings, shared memory, launchers, the job and, without running it, a program:\n\n"
               "  mpiexec -n 16 pleach doctor ./app\n\n"
               "Each line begins with ok, note or problem. Problems make the exit status 1.\n",
    .options = options,
    .most = 1,
    .work = examine,
};
