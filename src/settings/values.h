/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and prints values of settings, as their types say. Rules write such values in the same way. */
#pragma once

#include "nearest.h"
#include "settings.h"

/* Stores the value that `text` stands for. Returns false and stores nothing if `text` is no value of the row's type. */
bool value_parse(const struct setting *row, const char *text, void *value);

/* engine_parse() does the same for a value that names engines. engine_print() writes such a value as the user would. */
bool engine_parse(const char *text, struct engine_setting *e);
void engine_print(const struct engine_setting *e, char *text, size_t size);

/* The hint for the first word in `text` that names no engine: " (did you mean ...?)" or "". Lives as long as *near. */
const char *engine_hint(const char *text, struct nearest *near);

/* Writes a value as the user would. */
void value_print(const struct setting *row, const void *value, char *text, size_t size);
