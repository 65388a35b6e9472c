/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles of files that a test writes out: what goes wrong fails the test. */
#ifndef RSB_TESTS_PROFILED_H
#define RSB_TESTS_PROFILED_H

#include "models/profile.h"

/* A profile whose fields, on line 2, are these. */
#define PROFILED_FIELDS(text) "{ 'name': 'mine', 'model': 'ring', 'fields': {\n" text "\n} }"

/* By name or path; to be freed. */
struct rsb_profile *profiled_load(const char *name);

/* Of a file of that text, with " for each ' of it. */
struct rsb_profile *profiled_text(const char *text);

/* Such a file is refused: the message is its path, ":" and what is expected. */
void profiled_refuses(const char *text, const char *message);

/* The same; the message is handed back. */
void profiled_fails(const char *text, struct rsb_error *error);

const struct rsb_fact *profiled_fact(const struct rsb_profile *profile, const char *name);

#endif
