/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of settings by type, also for rules. */
#pragma once

#include "nearest.h"
#include "settings.h"

/* Stores the value. Returns false, and stores nothing, if `text` is no value of the row's type. */
bool value_parse(const struct setting *row, const char *text, void *value);

bool engine_parse(const char *text, struct engine_setting *e);
void engine_print(const struct engine_setting *e, char *text, size_t size);

/* A hint for the first unknown engine: " (did you mean ...?)" or "". Lives as long as *near. */
const char *engine_hint(const char *text, struct nearest *near);

void value_print(const struct setting *row, const void *value, char *text, size_t size);
