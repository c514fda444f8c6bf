/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings from the environment and from a file. A line of the input is a variable; the lines after an empty line are the
 * file. The settings in force can be written as a file, and reading this file gives the same settings.
 */
#include "fuzz.h"
#include "settings.h"

#include <sys/mman.h>
#include <unistd.h>

enum { VARIABLES = 16 };

static int problems;

static void count(void *to, const struct problem *p)
{
    (void)to;
    problems += !problem_warns(p->kind);
    MUST(p->text[0] && !strpbrk(p->text, "\n\t\033"), "a problem of several lines: %s", p->text);
}

/* Reads these variables and, unless `text` is NULL, a file of settings that contains it. */
static void read_all(struct settings *s, const char *text, char *variable[VARIABLES + 2], int variables)
{
    char conf[64];
    int file = text ? memfd_create("conf", MFD_CLOEXEC) : -1;
    if (text) {
        MUST(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), "no file");
        snprintf(conf, sizeof conf, "PLEACH_CONF=/proc/self/fd/%d", file);
        variable[variables++] = conf;
    }
    variable[variables] = NULL;
    problems = 0;
    int bad = settings_read(s, variable, count, NULL);
    MUST(bad == problems && (bad > 0) == (s->bad[0] != 0), "%d bad, %d reported: %s", bad, problems, s->bad);
    if (file >= 0)
        close(file);
}

/* Writes the settings in force as a file; returns its length. */
static size_t write_effective(const struct settings *s, char *text, size_t size)
{
    static char value[SETTING_VALUE], quoted[2 * SETTING_VALUE + 3], name[SETTING_TEXT];
    size_t used = 0;
    for (int i = 0; i < setting_count; i++)
        for (int c = 0; c < (setting_list[i].per_collective ? COLLECTIVES : 1); c++) {
            if (strcmp(setting_list[i].name, "CONF") == 0)
                continue;
            settings_print(s, i, (enum collective)c, value, sizeof value);
            settings_quote(value, quoted, sizeof quoted);
            setting_variable(&setting_list[i], c, name, sizeof name);
            used += (size_t)snprintf(text + used, size - used, "%s=%s\n", name, quoted);
            MUST(used < size, "no room");
        }
    return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct settings first, again;
    static char effective[1 << 17];
    uint64_t before[SETTINGS_AGREED_MOST], after[SETTINGS_AGREED_MOST];
    struct bytes bytes = {data, size};
    char *text = take_text(&bytes), *rest = text, *variable[VARIABLES + 2];
    int variables = 0;
    while (rest && variables < VARIABLES && *rest != '\n')
        variable[variables++] = strsep(&rest, "\n");
    read_all(&first, rest && *rest == '\n' ? rest + 1 : NULL, variable, variables);
    write_effective(&first, effective, sizeof effective);
    read_all(&again, effective, variable, 0);
    MUST(again.bad[0] == 0, "a setting in force is bad: %s", again.bad);
    memcpy(again.bad, first.bad, sizeof first.bad);
    settings_hash(&first, before);
    settings_hash(&again, after);
    for (int i = 0; i < settings_agreed_count(); i++)
        MUST(before[i] == after[i], "value %d differs after it was read again", i);
    free(text);
    return 0;
}
