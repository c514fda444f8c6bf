/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines with fields between tabs; see fields.h. */
#include "fields.h"

#include <ctype.h>
#include <string.h>

void fields_clean(char *text)
{
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c) && *c != '\t' && *c != '\n')
            *c = '?';
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
