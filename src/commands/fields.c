/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines with fields between tabs; see fields.h. */
#include "fields.h"

#include <string.h>

void line_trim(char *line)
{
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[--length] = 0;
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = 0;
}

int fields_cut(char *line, char *field[FIELDS])
{
    int fields = 0;
    for (char *text; (text = strsep(&line, "\t")); fields++)
        if (fields < FIELDS)
            field[fields] = text;
    return fields;
}

int fields_find(int fields, char *const field[FIELDS], const char *text)
{
    for (int i = 0; i < fields && i < FIELDS; i++)
        if (strcmp(field[i], text) == 0)
            return i;
    return -1;
}
