/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code under construction: bytes with labels and symbols, from which an image is made. Errors (no
 * memory, a label never placed, a displacement too long) are kept until rsb_code_finish(), so that
 * emitters read like listings.
 */
#ifndef RSB_SIM_GENERATE_CODE_H
#define RSB_SIM_GENERATE_CODE_H

#include "sim/generate/forms.h"
#include "sim/image/image.h"

#define RSB_CODE_BASE \
	UINT64_C(0x10000000) /* generated code: free in a user process, below 2 GiB \
					    */

/* What code writes to: past the 16 MiB that the most callers, the farthest apart, take. */
#define RSB_CODE_DATA_BASE UINT64_C(0x18000000)

struct rsb_code;

typedef unsigned rsb_label;

struct rsb_code *rsb_code_new(uint64_t base);
void rsb_code_free(struct rsb_code *code);

uint64_t rsb_code_here(const struct rsb_code *code); /* address of the next byte */
void rsb_code_bytes(struct rsb_code *code, const void *bytes, size_t size);
void rsb_code_fill(struct rsb_code *code, size_t size, uint8_t filler);
void rsb_code_align(struct rsb_code *code, unsigned alignment, uint8_t filler);

/* A label, not yet placed; and placing it here. */
rsb_label rsb_code_label(struct rsb_code *code);
void rsb_code_place(struct rsb_code *code, rsb_label label);
/* A label for an address outside this code (a kernel's function). */
rsb_label rsb_code_external(struct rsb_code *code, uint64_t address);

/* A label that is a symbol too: by name, made at its first use, placed once. */
rsb_label rsb_code_named(struct rsb_code *code, const char *name);

/* Writable memory for the code: zeros, from a multiple of 16 on, placed as the named label. */
rsb_label rsb_code_data(struct rsb_code *code, const char *name, size_t size);

/* Starts a function: aligns to 16 with int3, places the named label. */
void rsb_code_function(struct rsb_code *code, const char *name);

/* A 32-bit displacement from the end of the field (plus after more bytes) to label, written at the
 * end or by rsb_code_finish. */
void rsb_code_relative32(struct rsb_code *code, rsb_label label, unsigned after);
void rsb_code_relative8(struct rsb_code *code, rsb_label label);
void rsb_code_absolute64(struct rsb_code *code, rsb_label label);

/* The code from here on is part of a mitigation, until rsb_code_mitigation(code,
 * RSB_MITIGATION_NONE). */
void rsb_code_mitigation(struct rsb_code *code, enum rsb_mitigation kind);

/* Says that a return comes here, or what stands in its place. Gives its number, from 0. */
size_t rsb_code_return(struct rsb_code *code);

/* The forms that rsb_x86_return() and the calls take; plain until set. */
void rsb_code_set_forms(struct rsb_code *code, const struct rsb_forms *forms);
const struct rsb_forms *rsb_code_forms(const struct rsb_code *code);

/* Resolves the labels and maps the code (read, execute) with its symbols and mitigations into the
 * image. */
bool rsb_code_finish(struct rsb_code *code, struct rsb_image *image, struct rsb_error *error);

#endif
