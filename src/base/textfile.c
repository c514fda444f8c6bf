/* SPDX-License-Identifier: BSD-2-Clause */
/* See textfile.h. */
#include "textfile.h"

#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Users name /dev/null for no file. */
static bool is_null(const struct stat *status)
{
    struct stat null;
    return S_ISCHR(status->st_mode) && stat("/dev/null", &null) == 0 && status->st_rdev == null.st_rdev;
}

static FILE *open_regular(const char *name, int most, struct stat *status, char *why, size_t size)
{
    int fd = above_standard(open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    FILE *file = NULL;
    bool there = fd >= 0 && fstat(fd, status) == 0;
    if (there && !S_ISREG(status->st_mode) && !is_null(status))
        snprintf(why, size, "it is not a regular file");
    else if (there && status->st_size > most)
        snprintf(why, size, "it has more than %d bytes", most);
    else if (!there || !(file = fdopen(fd, "r")))
        snprintf(why, size, "%s", strerror(errno));
    if (!file && fd >= 0)
        close(fd);
    return file;
}

static char *read_text(const char *name, int most, char *why, size_t size)
{
    struct stat status;
    snprintf(why, size, "out of memory");
    FILE *file = open_regular(name, most, &status, why, size);
    size_t length = file ? (size_t)status.st_size : 0;
    char *text = file ? malloc(length + 1) : NULL;
    bool good = false;
    if (text) {
        size_t got = fread(text, 1, length, file);
        text[got] = 0;
        good = got == length && strlen(text) == length;
        snprintf(why, size, got < length ? "it was cut short while it was read" : "it has a NUL byte: it is no text");
    }
    if (file)
        fclose(file);
    if (good)
        return text;
    free(text);
    return NULL;
}

char *textfile_read(const char *name, char *why, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    char *text = read_text(name, TEXTFILE_MOST, why, size);
    if (text && strncmp(text, mark, strlen(mark)) == 0)
        memmove(text, text + strlen(mark), strlen(text + strlen(mark)) + 1);
    return text;
}

char *textfile_read_own(const char *name, char *why, size_t size)
{
    return read_text(name, INT_MAX - 1, why, size);
}

const char textfile_blanks[] = " \t\r\v\f";

char *textfile_word(char **line, bool quotes)
{
    char *word = *line + strspn(*line, textfile_blanks), *end = word;
    if (!*word || *word == '#')
        return NULL;
    for (bool quoted = false; *end && (quoted || !strchr(textfile_blanks, *end)); end++)
        quoted ^= quotes && *end == '"';
    *line = *end ? end + 1 : end;
    *end = 0;
    return word;
}
