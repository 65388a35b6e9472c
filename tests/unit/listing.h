/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generated code as text, from Capstone: to be compared with a listing written by hand. */
#ifndef RSB_TESTS_LISTING_H
#define RSB_TESTS_LISTING_H

#include "sim/generate/code.h"
#include "sim/scenario.h"

/*
 * Writes the instructions from start up to end, one a line, "mov rbp, rsp". An address in the
 * generated code is given by symbol: "call target+0x5".
 */
void listing_write(const struct rsb_image *image, uint64_t start, uint64_t end, char *out,
		   size_t size);

/* The same of the symbol's code, up to the next symbol, without the int3 that fill it up. */
void listing_write_symbol(const struct rsb_image *image, const char *symbol, char *out,
			  size_t size);

/*
 * The image of the code, which is freed. The test fails if it cannot be made.
 */
struct rsb_image *listing_image(struct rsb_code *code);

/* The image of a family with "name=value ..." set, of its rows and of the forms'. NULL: error. */
struct rsb_image *listing_family(const char *family, const char *set,
				 const struct rsb_scenario *scenario, struct rsb_error *error);

/* The same, made: the test fails if it cannot be. */
struct rsb_image *listing_make(const char *family, const char *set);

/* The test fails unless the symbol's code is want. */
void listing_expect(const struct rsb_image *image, const char *symbol, const char *want);

/* The body of a traced function (sim/generate/traced.c) up to its return. */
#define LISTING_WORK     \
	"push rbp\n"     \
	"mov rbp, rsp\n" \
	"mov rax, rdi\n" \
	"add rax, rsi\n" \
	"pop rbp\n"
#define LISTING_BODY LISTING_WORK "ret\n"

#endif
