/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of source for call sites; see lines.h. */
#include "lines.h"

#include "buildid.h"
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 1 << 13 };

extern char **environ;

struct source_frame {
    char *address, *id, *name, *path; /* as they were told, in memory of the first */
    bool several;                     /* other code has the same name */
    char *shown;                      /* with its line, or NULL */
};

static struct {
    void *tree; /* frames by name (tsearch) */
    struct source_frame **frame;
    size_t count, room;
} all;

/* ---- What is told --------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct source_frame *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void keep(struct source_frame *f)
{
    if (all.count == all.room) {
        struct source_frame **more = cli_memory(2 * all.room + 64, sizeof *more);
        if (all.count)
            memcpy(more, all.frame, all.count * sizeof *more);
        free(all.frame);
        all.frame = more;
        all.room = 2 * all.room + 64;
    }
    all.frame[all.count++] = f;
}

/* Ends a text where `end`, which begins with a blank, is; returns what follows the blank, or NULL. */
static char *cut(char *text, const char *end)
{
    char *found = text ? strstr(text, end) : NULL;
    if (found)
        *found++ = 0;
    return found;
}

static void drop(struct source_frame *f)
{
    free(f->address);
    free(f);
}

void lines_tell(const char *origin)
{
    struct source_frame *f = cli_memory(1, sizeof *f), **found;
    f->address = strcpy(cli_memory(strlen(origin) + 1, 1), origin);
    f->id = cut(f->address, " ");
    f->name = cut(f->id, " ");
    f->path = cut(f->name, " /");
    if (!f->path || strncmp(f->address, "0x", 2) != 0 || strspn(f->address, "0123456789abcdefx") != strlen(f->address)) {
        drop(f);
        return;
    }
    found = tsearch(f, &all.tree, by_name);
    if (!found)
        cli_fail(STATUS_FAILED, "out of memory");
    if (*found == f) {
        keep(f);
    } else {
        (*found)->several |= strcmp((*found)->address, f->address) != 0 || strcmp((*found)->id, f->id) != 0;
        drop(f);
    }
}

bool lines_tell_all(const char *text)
{
    static const char kind[] = "\n# frame ";
    bool any = false;
    while ((text = strstr(text, kind))) {
        text += sizeof kind - 1;
        char *origin = strndup(text, strcspn(text, "\n"));
        if (!origin)
            cli_fail(STATUS_FAILED, "out of memory");
        lines_tell(origin);
        free(origin);
        any = true;
    }
    return any;
}

/* ---- The tools ------------------------------------------------------------------------------------------------------ */

/* Reasons why lines are missing; each is said once. */
enum hint { GONE, REBUILT, NO_ID, NO_TOOL, STRIPPED, HINTS };

static void hint(enum hint why, const char *path)
{
    static const char *const texts[HINTS] = {
        [GONE] = "%s is not there any more: no file:line for its call sites",
        [REBUILT] = "%s was built anew since it ran: no file:line for its call sites",
        [NO_ID] = "%s has no build-id (ld --build-id): no file:line for its call sites",
        [NO_TOOL] =
            "neither eu-addr2line nor addr2line can be run (Debian: elfutils, binutils): no file:line for call sites",
        [STRIPPED] = "%s has no debug information: compile with -g to see file:line",
    };
    static bool said[HINTS];
    if (!said[why])
        say(texts[why], path);
    said[why] = true;
}

/* Runs a program; false if that is not there. */
static bool run(const char *program, const char *path, FILE *in, FILE *out)
{
    char *const arguments[] = {(char *)program, "-s", "-C", "-f", "-e", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool runs = posix_spawnp(&child, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (runs && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return runs;
}

static bool run_any(const char *path, FILE *in, FILE *out)
{
    static const char *const tools[] = {"eu-addr2line", "addr2line"};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        if (run(tools[i], path, in, out))
            return true;
    return false;
}

static bool next_line(FILE *f, char line[LINE])
{
    if (!fgets(line, LINE, f))
        return false;
    line[strcspn(line, "\n")] = 0;
    for (char *c = line; *c; c++)
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    return true;
}

/* The ":12" at the end of a text, or NULL. */
static char *number_at_end(char *text)
{
    char *colon = strrchr(text, ':');
    return colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")] ? colon : NULL;
}

/* Makes "a.c:5" of "a.c:5:12" or "a.c:5 (discriminator 1)"; false if it says that nothing is known. */
static bool tidy(char *place)
{
    cut(place, " (");
    char *column = number_at_end(place), *line = column;
    if (column) {
        *column = 0;
        line = number_at_end(place);
        if (!line)
            *(line = column) = ':';
    }
    return line && strncmp(place, "??", 2) != 0 && strcmp(line, ":0") != 0;
}

/* What is shown of a frame, from the two lines that a tool has for it; C++ names are written as in the source. */
static void set_shown(struct source_frame *f, char *function, char *place)
{
    char *offset = strstr(f->name, "+0x");
    int length = offset ? (int)(offset - f->name) : (int)strlen(f->name);
    cut(function, " inlined at ");
    if (strncmp(f->name, "_Z", 2) != 0 || *function == '?')
        snprintf(function, LINE, "%.*s", length, f->name);
    if (tidy(place) && asprintf(&f->shown, "%s (%s)", function, place) < 0)
        cli_fail(STATUS_FAILED, "out of memory");
}

/* ---- Files of code -------------------------------------------------------------------------------------------------- */

static int by_file(const void *a, const void *b)
{
    const struct source_frame *x = *(struct source_frame *const *)a, *y = *(struct source_frame *const *)b;
    int order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->id, y->id);
}

/* Is the file what ran? */
static bool same_file(const struct source_frame *f)
{
    char id[BUILDID_TEXT];
    if (!buildid_file(f->path, id))
        hint(GONE, f->path);
    else if (strcmp(f->id, "-") == 0)
        hint(NO_ID, f->path);
    else if (strcmp(f->id, id) != 0)
        hint(REBUILT, f->path);
    else
        return true;
    return false;
}

/* Finds the lines of frames that are of one file; returns for how many, or -1: there is no tool. */
static int find_of_file(struct source_frame **f, int count)
{
    char function[LINE], place[LINE];
    FILE *in = tmpfile(), *out = tmpfile();
    int found = 0;
    if (!in || !out)
        cli_fail(STATUS_FAILED, "no temporary file: %s", strerror(errno));
    for (int i = 0; i < count; i++)
        fprintf(in, "%s\n", f[i]->address);
    if (fflush(in) != 0 || lseek(fileno(in), 0, SEEK_SET) != 0)
        cli_fail(STATUS_FAILED, "cannot write a temporary file: %s", strerror(errno));
    bool runs = run_any(f[0]->path, in, out);
    if (!runs)
        hint(NO_TOOL, "");
    rewind(out);
    for (int i = 0; i < count && next_line(out, function) && next_line(out, place); i++) {
        if (!f[i]->several)
            set_shown(f[i], function, place);
        found += f[i]->shown != NULL;
    }
    fclose(in);
    fclose(out);
    return runs ? found : -1;
}

void lines_find(void)
{
    const char *stripped = NULL;
    int found = 0;
    if (!all.count)
        return;
    unsetenv("DEBUGINFOD_URLS"); /* nothing is fetched over the network */
    qsort(all.frame, all.count, sizeof *all.frame, by_file);
    for (size_t first = 0, end; first < all.count; first = end) {
        for (end = first + 1; end < all.count && by_file(&all.frame[first], &all.frame[end]) == 0;)
            end++;
        if (!same_file(all.frame[first]))
            continue;
        int of_file = find_of_file(all.frame + first, (int)(end - first));
        stripped = of_file ? stripped : all.frame[first]->path;
        found += of_file != 0;
    }
    if (!found && stripped)
        hint(STRIPPED, stripped);
}

/* ---- Sites ---------------------------------------------------------------------------------------------------------- */

static const char *shown_frame(const char *name)
{
    const struct source_frame wanted = {.name = (char *)name};
    struct source_frame *const *found = tfind(&wanted, &all.tree, by_name);
    return found && (*found)->shown ? (*found)->shown : name;
}

const char *lines_site(const char *site)
{
    static const char joint[] = " < ";
    char *text = NULL, *frames = strcpy(cli_memory(strlen(site) + 1, 1), site);
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        cli_fail(STATUS_FAILED, "out of memory");
    for (char *name = frames, *next; name; name = next) {
        next = strstr(name, joint);
        if (next) {
            *next = 0;
            next += sizeof joint - 1;
        }
        fprintf(f, "%s%s", name > frames ? joint : "", shown_frame(name));
    }
    if (fclose(f) != 0)
        cli_fail(STATUS_FAILED, "out of memory");
    free(frames);
    return text;
}

static void put_escaped(const char *text, bool html, FILE *f)
{
    for (; *text; text++)
        switch (html ? *text : 0) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            putc(*text, f);
        }
}

/* One word, which may be a frame. */
static void put_word(const char *text, size_t length, bool html, FILE *f)
{
    char word[LINE];
    snprintf(word, sizeof word, "%.*s", length < LINE ? (int)length : 0, text);
    const char *shown = shown_frame(word);
    if (shown == word)
        fwrite(text, 1, length, f);
    else
        put_escaped(shown, html, f);
}

void lines_put(const char *text, bool html, FILE *f)
{
    static const char ends[] = " \t\n<>&\"',:;", open[] = "<!--\n# frame ", close[] = "-->\n", plain[] = "# frame ",
                      head[] = "\n# 'pleach report' of this file";
    bool begins = true; /* a line */
    while (*text) {
        const char *remark = begins && strncmp(text, plain, sizeof plain - 1) == 0 ? "\n"
                             : strncmp(text, head, sizeof head - 1) == 0           ? ":\n"
                             : begins && strncmp(text, open, sizeof open - 1) == 0 ? close
                                                                                   : NULL;
        if (remark) {
            const char *end = strstr(text, remark);
            text = end ? end + strlen(remark) : text + strlen(text);
            continue;
        }
        size_t length = strcspn(text, ends);
        if (length)
            put_word(text, length, html, f);
        text += length;
        if (*text) {
            begins = *text == '\n';
            putc(*text++, f);
        }
    }
}
