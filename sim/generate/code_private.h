/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What code under construction is made of; for the files that build and finish it. */
#ifndef RSB_SIM_GENERATE_CODE_PRIVATE_H
#define RSB_SIM_GENERATE_CODE_PRIVATE_H

#include "sim/generate/code.h"

struct rsb_code_label {
	char *name;    /* NULL: not a symbol */
	uint64_t hash; /* of the name: thousands of callers differ at their ends only */
	bool placed;
	uint64_t address;
};

/* A field that takes a label's address. */
struct rsb_code_fixup {
	size_t offset;
	rsb_label label;
	uint8_t width; /* bytes */
	bool relative;
	unsigned after; /* bytes from the end of the field to what it is relative to */
};

struct rsb_code_span {
	size_t start, end;
	enum rsb_mitigation kind;
};

struct rsb_code {
	uint64_t base;
	uint8_t *bytes;
	struct rsb_code_label *labels;
	struct rsb_code_fixup *fixups;
	struct rsb_code_span *spans;
	uint64_t *returns; /* where each stands */
	size_t size, label_count, fixup_count, span_count, return_count;
	size_t data_size; /* bytes at RSB_CODE_DATA_BASE */
	size_t size_room;
	struct rsb_forms forms;
	bool failed;
	struct rsb_error error; /* the first one, if failed */
};

#endif
