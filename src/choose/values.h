/* SPDX-License-Identifier: BSD-2-Clause */
/* How the values of a setting's type are written; rules write theirs alike. */
#ifndef PLEACH_VALUES_H
#define PLEACH_VALUES_H

#include "nearest.h"
#include "settings.h"

/* Stores the value written as `text`; false, with nothing changed, if it is none of the row's type. */
bool value_parse(const struct setting *row, const char *text, void *value);

/* Engines alone, likewise; and written as the user would. */
bool engine_parse(const char *text, struct engine_setting *e);
void engine_print(const struct engine_setting *e, char *text, size_t size);

/* What was meant by the first name in it that is no engine's: " (did you mean ...?)" or ""; as long as *near is. */
const char *engine_hint(const char *text, struct nearest *near);

/* Writes a value as the user would. */
void value_print(const struct setting *row, const void *value, char *text, size_t size);

#endif
