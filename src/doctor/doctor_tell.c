/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what pleach doctor finds out; see doctor.h. */
#include "doctor.h"

#include "cli.h"

int doctor_problems;

struct told_line {
    const char *is, *text;
};

static const struct table_column columns[] = {{"is", NULL, VALUE_TEXT, offsetof(struct told_line, is), NULL},
                                              {"text", NULL, VALUE_TEXT, offsetof(struct told_line, text), NULL},
                                              {0}};
static struct document out;
static struct table told;

void doctor_begin(void)
{
    cli_document(&out);
    if (cli_format != TABLE_TEXT)
        table_open(&told, &out, "lines", columns);
}

void doctor_end(void)
{
    if (cli_format != TABLE_TEXT)
        cli_table_end(&told);
    document_end(&out);
}

void doctor_vtell(enum verdict v, const char *format, va_list ap)
{
    static const char *const words[] = {[VERDICT_OK] = "ok", [VERDICT_NOTE] = "note", [VERDICT_PROBLEM] = "problem"};
    static const char *const colours[] = {
        [VERDICT_OK] = "\033[32m", [VERDICT_NOTE] = "\033[33m", [VERDICT_PROBLEM] = "\033[1;31m"};
    char line[PROBLEM_TEXT];
    vsnprintf(line, sizeof line, format, ap);
    make_printable(line, "");
    if (cli_format == TABLE_TEXT)
        printf("%s%-8s%s %s\n", cli_colours() ? colours[v] : "", words[v], cli_colours() ? "\033[0m" : "", line);
    else
        table_row(&told, &(struct told_line){words[v], line});
    doctor_problems += v == VERDICT_PROBLEM;
}

void doctor_tell(enum verdict v, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    doctor_vtell(v, format, ap);
    va_end(ap);
}

const char *doctor_calls(unsigned calls, char text[CALLS_TEXT])
{
    size_t used = 0;
    text[0] = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        if (calls >> c & 1)
            used += (size_t)snprintf(text + used, CALLS_TEXT - used, "%s%s", used ? ", " : "",
                                     collective_name((enum collective)c));
    return text;
}
