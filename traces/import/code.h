/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the program that was traced, where the importer was handed a function that reads it.
 */
#ifndef RSB_TRACES_IMPORT_CODE_H
#define RSB_TRACES_IMPORT_CODE_H

#include "traces/import/importer.h"
#include "traces/transfer.h"

struct rsb_traced_code;

/* The import must outlive it. NULL: no memory. */
struct rsb_traced_code *rsb_traced_code_new(const struct rsb_import *import);
void rsb_traced_code_free(struct rsb_traced_code *code);

/* The x86-64 transfer at pc, and its length. False: its bytes are not known, or are none. */
bool rsb_traced_code_transfer(struct rsb_traced_code *code, uint64_t pc,
			      struct rsb_transfer *transfer, uint8_t *length);

/* The length of the call at pc; 0: not known. */
uint8_t rsb_traced_code_length(struct rsb_traced_code *code, uint64_t pc);

#endif
