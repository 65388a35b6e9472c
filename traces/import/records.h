/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file of records, with messages that say which one is wrong and where it begins. */
#ifndef RSB_TRACES_IMPORT_RECORDS_H
#define RSB_TRACES_IMPORT_RECORDS_H

#include "traces/input.h"

struct rsb_records {
	struct rsb_input *input;
	uint64_t number; /* of the record that is being read, from 1; 0: none yet */
	uint64_t start;  /* byte where it begins */
};

/* The next record begins. *end: there is none. False: error. */
bool rsb_records_next(struct rsb_records *records, bool *end, struct rsb_error *error);

/* The next size bytes of the record. False: error, also where the file ends in it. */
bool rsb_records_read(struct rsb_records *records, void *to, size_t size, struct rsb_error *error);

/* Sets "name: byte N: record M: message"; always false. */
bool rsb_records_error(const struct rsb_records *records, struct rsb_error *error,
		       const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
