/* SPDX-License-Identifier: BSD-2-Clause */
/* See program.h. */
#include "program.h"

#include "elffile.h"
#include "say.h"
#include "tool.h"
#include "units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
    LISTING = 1 << 16, /* most bytes of the loader's list */
    SECONDS = 60       /* many ranks may start at once */
};

/* ---- Symbols ------------------------------------------------------------------------------------------------------- */

/* -1: none. Fortran's names end with an underscore or have "_f08"; plain mpi_bcast is no name of MPI. */
static int collective_of(const char *symbol)
{
    const bool fortran = strncmp(symbol, "mpi_", 4) == 0;
    if (!fortran && strncmp(symbol, "MPI_", 4) != 0)
        return -1;
    for (int c = 0; c < COLLECTIVES; c++) {
        const char *name = collective_name((enum collective)c), *rest = symbol + 4 + strlen(name);
        if (strncasecmp(symbol + 4, name, strlen(name)) != 0)
            continue;
        if (fortran ? strcmp(rest, "_") == 0 || strcmp(rest, "__") == 0 || strncmp(rest, "_f08", 4) == 0
                    : !*rest || strcmp(rest, "_c") == 0)
            return c;
    }
    return -1;
}

struct symbols {
    unsigned calls, defines;      /* bit c: of collective c */
    bool starts;                  /* as in struct program */
    bool is_mpi, open_mpi, mpich; /* an MPI library; of these */
};

static const char starters[] =
    "dlopen|dlmopen|execl|execle|execlp|execv|execve|execvp|execvpe|posix_spawn|posix_spawnp|system|fexecve|popen";

static void look_at(void *to, const char *name, bool defined)
{
    struct symbols *s = to;
    int c = collective_of(name);
    if (c >= 0)
        *(defined ? &s->defines : &s->calls) |= 1u << c;
    s->starts |= !defined && choice_among(name, starters);
    s->is_mpi |= defined && strcmp(name, "PMPI_Bcast") == 0;
    s->open_mpi |= defined && strcmp(name, "ompi_mpi_comm_world") == 0;
    s->mpich |= defined && strncmp(name, "MPIR_", 5) == 0;
}

bool library_defines_calls(const char *path)
{
    struct symbols found = {0};
    struct elf e;
    if (elf_open(&e, path)) {
        elf_symbols(&e, SHT_DYNSYM, look_at, &found);
        elf_close(&e);
    }
    return found.defines;
}

/* ---- Libraries ----------------------------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum mpi whose(const char *library, const struct symbols *s)
{
    const char *name = base_of(library);
    if (s->open_mpi)
        return MPI_OPEN_MPI;
    if (strncmp(name, "libmpi_abi.", 11) == 0)
        return MPI_STANDARD;
    return s->mpich || strstr(name, ".so.12") ? MPI_MPICH : MPI_OTHER;
}

static void add_file(struct program *p, const char *path, bool library)
{
    struct symbols s = {0};
    struct elf e;
    if (!elf_open(&e, path)) {
        p->known = false;
        return;
    }
    if (!elf_symbols(&e, SHT_DYNSYM, look_at, &s))
        p->known = false;
    elf_close(&e);
    if (library && s.is_mpi && !p->mpi) {
        p->mpi = whose(path, &s);
        snprintf(p->library, sizeof p->library, "%s", path);
    }
    const bool sanitizer = library && strncmp(base_of(path), "libasan.so", 10) == 0;
    if (sanitizer)
        snprintf(p->sanitizer, sizeof p->sanitizer, "%s", path);
    if (sanitizer || (library && s.is_mpi) || strncmp(base_of(path), "libmpi", 6) == 0)
        return;
    p->calls |= s.calls;
    p->starts |= s.starts;
    p->linked_in |= !library && s.is_mpi;
    if (library && s.defines && !p->tool[0])
        snprintf(p->tool, sizeof p->tool, "%s", path);
}

/* A line of the loader's list: "name => path (address)", or "path (address)". */
static void add_line(struct program *p, char *line)
{
    char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line + strspn(line, "\t "), *end = strstr(path, " (0x");
    if (end && *path == '/') {
        *end = 0;
        add_file(p, path, true);
    }
}

/*
 * By this command's loader, as the file may name an untrustworthy one. If it names one of another C library, its libraries
 * stay unknown.
 */
static void add_libraries(struct program *p)
{
    static char listing[LISTING];
    char loader[PATH_MAX] = "", *rest = NULL;
    const char *const argv[] = {loader, "--list", p->path, NULL};
    struct elf own;
    if (elf_open(&own, "/proc/self/exe") && own.type == ELF_DYNAMIC)
        snprintf(loader, sizeof loader, "%s", elf_interpreter(&own));
    elf_close(&own);
    if (strcmp(base_of(loader), base_of(p->interpreter)) != 0) {
        p->known = false;
        return;
    }
    bool good = tool_asked(argv, SECONDS, listing, sizeof listing);
    char *line = strtok_r(listing, "\n", &rest);
    p->known = p->known && line;
    if (!good && line) {
        size_t own_name = strlen(p->path);
        bool named = strncmp(line, p->path, own_name) == 0 && strncmp(line + own_name, ": ", 2) == 0;
        snprintf(p->refusal, sizeof p->refusal, "%s", line + (named ? own_name + 2 : 0));
    }
    for (; good && line; line = strtok_r(NULL, "\n", &rest))
        add_line(p, line);
}

static void note_sanitizer(void *to, const char *name, bool defined)
{
    *(bool *)to |= !defined && strcmp(name, "__asan_init") == 0;
}

static void note_mpi_inside(void *to, const char *name, bool defined)
{
    *(bool *)to |= defined && strcmp(name, "PMPI_Bcast") == 0;
}

/* ---- Programs ------------------------------------------------------------------------------------------------------ */

bool program_find(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    struct stat status;
    int why = ENOENT;
    if (strchr(name, '/'))
        folders = NULL;
    else if (!folders)
        folders = "/bin:/usr/bin"; /* as execvp() does */
    for (const char *f = folders ? folders : "";; f += strcspn(f, ":") + 1) {
        int length = (int)strcspn(f, ":");
        int size = folders ? snprintf(path, PATH_MAX, "%.*s%s%s", length, f, length ? "/" : "", name)
                           : snprintf(path, PATH_MAX, "%s", name);
        if (size < PATH_MAX && stat(path, &status) == 0) {
            if (S_ISREG(status.st_mode) && access(path, X_OK) == 0)
                return true;
            why = S_ISDIR(status.st_mode) && !folders ? EISDIR : EACCES;
        }
        if (!folders || !f[length])
            break;
    }
    errno = why;
    return false;
}

bool program_launches(const char *name)
{
    static const char *const launchers[] = {"mpiexec", "mpirun", "orterun", "prterun", "srun"};
    const char *base = base_of(name);
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const size_t length = strlen(launchers[i]);
        if (strncmp(base, launchers[i], length) == 0 && (!base[length] || base[length] == '.'))
            return true;
    }
    return false;
}

/* So that the loader ignores LD_PRELOAD. */
static bool is_privileged(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    return (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
           (status.st_mode & S_ISGID && status.st_gid != getgid()) || getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool read_script(const struct elf *e, char *interpreter, size_t size)
{
    char line[PATH_MAX];
    size_t length = e->size < sizeof line - 1 ? e->size : sizeof line - 1;
    memcpy(line, e->bytes, length);
    line[length] = 0;
    if (strncmp(line, "#!", 2) != 0)
        return false;
    char *word = line + 2 + strspn(line + 2, " \t");
    snprintf(interpreter, size, "%.*s", (int)strcspn(word, " \t\r\n"), word);
    return true;
}

void program_examine(const char *name, struct program *p)
{
    static const enum program_type kinds[] = {[ELF_FOREIGN] = PROGRAM_FOREIGN,
                                              [ELF_LIBRARY] = PROGRAM_LIBRARY,
                                              [ELF_STATIC] = PROGRAM_STATIC,
                                              [ELF_DYNAMIC] = PROGRAM_DYNAMIC};
    struct elf e;
    *p = (struct program){.type = PROGRAM_MISSING, .known = true};
    bool found = program_find(name, p->path);
    if (!found || !elf_open(&e, p->path)) {
        p->error = errno;
        p->type = found ? PROGRAM_UNREADABLE : PROGRAM_MISSING;
        return;
    }
    p->privileged = is_privileged(p->path);
    if (e.type == ELF_NOT)
        p->type = read_script(&e, p->interpreter, sizeof p->interpreter) ? PROGRAM_SCRIPT : PROGRAM_TEXT;
    else
        p->type = kinds[e.type];
    if (p->type == PROGRAM_DYNAMIC)
        snprintf(p->interpreter, sizeof p->interpreter, "%s", elf_interpreter(&e));
    elf_symbols(&e, SHT_SYMTAB, note_mpi_inside, &p->linked_in);
    elf_close(&e);
    if (p->type == PROGRAM_DYNAMIC) {
        add_file(p, p->path, false);
        add_libraries(p);
    }
}

bool program_sanitized(const char *name)
{
    char path[PATH_MAX];
    bool sanitized = false;
    struct elf e;
    if (program_find(name, path) && elf_open(&e, path)) {
        elf_symbols(&e, SHT_DYNSYM, note_sanitizer, &sanitized);
        elf_close(&e);
    }
    return sanitized;
}

const char *program_unserved(const struct program *p)
{
    if (p->type == PROGRAM_STATIC)
        return "linked statically: nothing can be preloaded";
    if (p->type != PROGRAM_DYNAMIC)
        return NULL;
    if (p->privileged)
        return "run with the rights of another user or group: nothing is preloaded";
    if (p->linked_in)
        return "linked with MPI statically: its calls do not leave it";
    if (p->known && !p->refusal[0] && !p->mpi && !p->starts)
        return "linked with no MPI library, and starts no other program";
    return NULL;
}

void program_tell_unserved(const char *name, const struct program *p, const char *wanted)
{
    const char *why = is_speaker() ? program_unserved(p) : NULL;
    if (why)
        say("%s is %s; there will be no %s", name, why, wanted);
}
