/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an importer keeps of each thread: one state of fixed size, found by the thread's number. */
#ifndef RSB_TRACES_IMPORT_THREADS_H
#define RSB_TRACES_IMPORT_THREADS_H

#include "traces/util/error.h"

#include <stdint.h>

/* More is no program but a damaged file, which must not take all memory. */
#define RSB_THREADS_MAX 65536

struct rsb_threads;

struct rsb_threads *rsb_threads_new(size_t state_size); /* NULL: no memory */
void rsb_threads_free(struct rsb_threads *threads);

/* The state of that thread, all zeros at first; good until the next call. NULL: error. */
void *rsb_threads_find(struct rsb_threads *threads, uint64_t id, struct rsb_error *error);

/* The states, in the order in which they were made; NULL from the index on that is not there. */
void *rsb_threads_at(const struct rsb_threads *threads, size_t index);

#endif
