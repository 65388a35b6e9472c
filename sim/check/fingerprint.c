/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over what does not move. */
#include "sim/check/fingerprint.h"

#include "sim/check/rule.h"
#include "traces/util/clean.h"
#include "traces/util/hash.h"

#include <capstone/capstone.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bpf_image_ksym_add(), Linux 6.12, kernel/bpf/trampoline.c. */
#define TRAMPOLINE "bpf_trampoline_"

/* A number as long as this is an id: of a BPF object, of a compiler's copy of a function. */
#define ID_DIGITS 5

/* The tag of a BPF program: bpf_get_prog_name(), Linux 6.12, kernel/bpf/core.c. */
#define TAG_DIGITS 16

static size_t count_digits(const char *text, int (*is_digit)(int))
{
	size_t count = 0;

	while (is_digit((unsigned char)text[count]))
		count++;
	return count;
}

/* The length of an id at the start of text, which follows a separator; 0: it is a word. */
static size_t measure_id(const char *text)
{
	size_t digits = count_digits(text, isdigit), tag = count_digits(text, isxdigit);

	if (tag == TAG_DIGITS)
		return tag;
	return digits >= ID_DIGITS && !isalnum((unsigned char)text[digits]) ? digits : 0;
}

static void mask_ids(char *name)
{
	char *out = name;

	for (const char *in = name; *in;) {
		size_t id = in == name || strchr("_.", in[-1]) ? measure_id(in) : 0;

		*out++ = id ? '*' : *in;
		in += id ? id : 1;
	}
	*out = '\0';
}

/* The name of the function that first goes to the start of a trampoline. NULL: none does. */
static const char *find_traced(const struct rsb_image *image, const struct rsb_run *run,
			       uint64_t trampoline)
{
	size_t count;
	const struct rsb_site *sites = rsb_sites_array(rsb_run_sites(run), &count);
	const uint64_t *addresses = rsb_sites_addresses(rsb_run_sites(run), &count);
	uint64_t start, end;

	for (size_t kind = 0; kind < rsb_run_sequences(run); kind++) {
		const struct rsb_sequence *sequence = rsb_run_sequence(run, kind);

		for (size_t i = 0; i < sequence->count; i++) {
			const struct rsb_site *site = &sites[sequence->events[i].site];

			if (addresses[sequence->events[i].target] == trampoline &&
			    (site->kind == RSB_CALL || site->kind == RSB_JUMP))
				return rsb_image_symbol_at(image, site->pc, &start, &end);
		}
	}
	return NULL;
}

char *rsb_fingerprint_symbol(const struct rsb_image *image, const struct rsb_run *run, uint64_t pc)
{
	uint64_t start, end;
	const char *name = rsb_image_symbol_at(image, pc, &start, &end), *traced = NULL;
	size_t size;
	char *symbol;

	if (!name)
		return strdup("");
	if (!strncmp(name, TRAMPOLINE, strlen(TRAMPOLINE)))
		traced = find_traced(image, run, start);
	if (!traced)
		traced = name + strlen(name);
	else
		name = "trampoline of ";
	size = strlen(name) + strlen(traced) + 1;
	symbol = malloc(size);
	if (!symbol)
		return NULL;
	snprintf(symbol, size, "%s%s", name, traced);
	mask_ids(symbol);
	return rsb_clean(symbol);
}

static bool is_address(const struct rsb_image *image, int64_t value)
{
	uint8_t page[RSB_PAGE];
	struct rsb_error error;
	unsigned access;

	return rsb_image_page(image, (uint64_t)value & ~(uint64_t)(RSB_PAGE - 1), page, &access,
			      &error);
}

/* Only immediates of four bytes and more can hold an address. */
static bool has_address(const struct rsb_image *image, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_IMM && x86->encoding.imm_size >= 4 &&
		    is_address(image, x86->operands[i].imm))
			return true;
	return false;
}

static void clear_field(struct rsb_check_place *place, uint8_t offset, uint8_t size)
{
	if (offset && offset + size <= place->length)
		memset(place->bytes + offset, 0, size);
}

static bool is_relative(csh capstone, const cs_insn *insn)
{
	return cs_insn_group(capstone, insn, CS_GRP_BRANCH_RELATIVE) ||
	       (cs_insn_group(capstone, insn, CS_GRP_CALL) &&
		insn->detail->x86.operands[0].type == X86_OP_IMM);
}

void rsb_fingerprint_mask(const struct rsb_image *image, struct rsb_check_place *place)
{
	cs_insn *insn;
	csh capstone;

	if (!place->length || cs_open(CS_ARCH_X86, CS_MODE_64, &capstone) != CS_ERR_OK)
		return;
	cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
	if (cs_disasm(capstone, place->bytes, place->length, place->address, 1, &insn)) {
		const cs_x86_encoding *encoding = &insn->detail->x86.encoding;

		clear_field(place, encoding->disp_offset, encoding->disp_size);
		if (is_relative(capstone, insn) || has_address(image, insn))
			clear_field(place, encoding->imm_offset, encoding->imm_size);
		cs_free(insn, 1);
	}
	cs_close(&capstone);
}

/* The NUL too: "ab", "c" is not "a", "bc". */
static uint64_t hash_text(uint64_t state, const char *text)
{
	return rsb_hash_bytes(state, text, strlen(text) + 1);
}

void rsb_fingerprint_set(struct rsb_check_result *result, const char *layout, const char *cpu,
			 const struct rsb_image *image)
{
	struct rsb_check_place place = result->place;
	uint64_t state = RSB_HASH_START;

	rsb_fingerprint_mask(image, &place);
	state = hash_text(state, result->rule->id);
	state = hash_text(state, layout);
	state = hash_text(state, cpu);
	state = hash_text(state, result->subject);
	state = rsb_hash_bytes(state, place.bytes, place.length);
	snprintf(result->fingerprint, sizeof(result->fingerprint), "%016" PRIx64, state);
}
