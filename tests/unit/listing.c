/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generated code as text. */
#include "tests/unit/listing.h"

#include "sim/generate/generate.h"

#include <capstone/capstone.h>
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX 65536

static void append(char *out, size_t size, const char *text)
{
	size_t length = strlen(out);

	ck_assert_msg(length + strlen(text) < size, "the listing is longer than the test expects");
	strcpy(out + length, text);
}

/* Appends the operands, with an address in the code as a symbol. */
static void append_operands(const struct rsb_image *image, const cs_insn *insn, char *out,
			    size_t size)
{
	const char *hex = strstr(insn->op_str, "0x");
	uint64_t value = hex ? strtoull(hex, NULL, 16) : 0;
	char text[sizeof(insn->op_str) + 256], name[256];

	if (!insn->op_str[0])
		return;
	if (value >= RSB_CODE_BASE && value < RSB_CODE_BASE + CODE_MAX) {
		rsb_image_describe(image, value, name, sizeof(name));
		snprintf(text, sizeof(text), " %.*s%s", (int)(hex - insn->op_str), insn->op_str,
			 name);
	} else {
		snprintf(text, sizeof(text), " %s", insn->op_str);
	}
	append(out, size, text);
}

void listing_write(const struct rsb_image *image, uint64_t start, uint64_t end, char *out,
		   size_t size)
{
	static uint8_t bytes[CODE_MAX];
	struct rsb_error error;
	uint64_t at = start;
	cs_insn *insn;
	size_t count;
	csh handle;

	*out = '\0';
	ck_assert(end - start <= sizeof(bytes));
	ck_assert(rsb_image_read(image, start, bytes, end - start, &error));
	ck_assert_int_eq(cs_open(CS_ARCH_X86, CS_MODE_64, &handle), CS_ERR_OK);
	count = cs_disasm(handle, bytes, end - start, start, 0, &insn);
	for (size_t i = 0; i < count; i++) {
		append(out, size, insn[i].mnemonic);
		append_operands(image, insn + i, out, size);
		append(out, size, "\n");
		at += insn[i].size;
	}
	cs_free(insn, count);
	cs_close(&handle);
	ck_assert_msg(at == end, "0x%" PRIx64 " is no instruction", at);
}

void listing_write_symbol(const struct rsb_image *image, const char *symbol, char *out, size_t size)
{
	struct rsb_error error;
	uint64_t address, start, end;
	uint8_t last;

	ck_assert_msg(rsb_image_find(image, symbol, &address, &error), "%s", error.text);
	ck_assert_ptr_nonnull(rsb_image_symbol_at(image, address, &start, &end));
	while (rsb_image_read(image, end - 1, &last, 1, &error) && last == 0xcc)
		end--;
	listing_write(image, start, end, out, size);
}

struct rsb_image *listing_image(struct rsb_code *code)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;

	ck_assert_ptr_nonnull(image);
	ck_assert_msg(rsb_code_finish(code, image, &error), "%s", error.text);
	rsb_code_free(code);
	return image;
}

struct rsb_image *listing_family(const char *name, const char *set,
				 const struct rsb_scenario *scenario, struct rsb_error *error)
{
	const struct rsb_family *family = rsb_family_find(name, error);
	int64_t values[RSB_PARAMETERS_MAX], forms[RSB_PARAMETERS_MAX];
	char key[32], value[32];
	int length;

	ck_assert_msg(family, "%s", error->text);
	rsb_parameter_defaults(family->parameters, values);
	rsb_parameter_defaults(rsb_forms_parameters, forms);
	for (; sscanf(set, " %31[a-z_]=%31[0-9a-z-]%n", key, value, &length) == 2; set += length) {
		bool form = rsb_parameter_find(rsb_forms_parameters, key) >= 0;

		ck_assert_msg(rsb_parameter_set(form ? rsb_forms_parameters : family->parameters,
						form ? forms : values, key, value, error),
			      "%s", error->text);
	}
	ck_assert_msg(!*set, "cannot read \"%s\"", set);
	return rsb_generate(family, values, forms, scenario, error);
}

struct rsb_image *listing_make(const char *family, const char *set)
{
	struct rsb_error error;
	struct rsb_image *image = listing_family(family, set, &RSB_SCENARIO_UNWIND, &error);

	ck_assert_msg(image, "%s %s: %s", family, set, error.text);
	return image;
}

void listing_expect(const struct rsb_image *image, const char *symbol, const char *want)
{
	char got[8192];

	listing_write_symbol(image, symbol, got, sizeof(got));
	ck_assert_str_eq(got, want);
}
