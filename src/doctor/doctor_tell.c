/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what pleach doctor finds out; see doctor.h. */
#include "doctor.h"

#include "cli.h"

int doctor_problems;

void doctor_vtell(enum verdict v, const char *format, va_list ap)
{
    static const char *const words[] = {[VERDICT_OK] = "ok", [VERDICT_NOTE] = "note", [VERDICT_PROBLEM] = "problem"};
    char line[PROBLEM_TEXT];
    vsnprintf(line, sizeof line, format, ap);
    make_printable(line, "");
    printf("%-8s %s\n", words[v], line);
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
