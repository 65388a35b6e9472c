/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that wait for the lengths of their calls. Some formats tell where a call is but not how
 * long it is, and with it what it pushes. Its return tells: it goes to the address after the call.
 * So events are held back for a while; a call whose return comes meanwhile gets the right length,
 * and every later one of that place too. The rest is assumed, and counted in a note.
 */
#ifndef RSB_TRACES_IMPORT_PENDING_H
#define RSB_TRACES_IMPORT_PENDING_H

#include "traces/import/found.h"

struct rsb_pending;

/* The import must outlive it. NULL: no memory. */
struct rsb_pending *rsb_pending_new(const struct rsb_import *import);
void rsb_pending_free(struct rsb_pending *pending);

/* As the functions of traces/file.h and traces/import/found.h, but a length may be 0. */
bool rsb_pending_thread(struct rsb_pending *pending, uint64_t thread, struct rsb_error *error);
bool rsb_pending_write(struct rsb_pending *pending, const struct rsb_found *found,
		       const char *label, struct rsb_error *error);
bool rsb_pending_gap(struct rsb_pending *pending, struct rsb_error *error);
void rsb_pending_instructions(struct rsb_pending *pending, uint64_t count);

/* Writes what is left, and the notes. */
bool rsb_pending_end(struct rsb_pending *pending, struct rsb_error *error);

#endif
