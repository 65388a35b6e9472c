/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The relocations of x86-64 (psABI 1.0, section 4.4.1), in a relocatable file. */
#include "sim/image/elf_object.h"

#include <inttypes.h>
#include <string.h>

/* What a relocation computes, in the letters of the psABI. */
enum formula {
	S_A,     /* an address */
	S_A_P,   /* how far it is from here */
	G_A,     /* the slot's place in the table */
	G_GOT_A, /* the slot's address */
	G_GOT_A_P,
	S_A_GOT, /* how far an address is from the table */
	GOT_A_P,
	Z_A, /* a symbol's size */
};

enum check { FULL, SIGNED, UNSIGNED, EITHER };

static const struct type {
	unsigned number;
	const char *name;
	enum formula formula;
	uint8_t width; /* bytes */
	enum check check;
} types[] = {
	{ R_X86_64_64, "R_X86_64_64", S_A, 8, FULL },
	{ R_X86_64_PC32, "R_X86_64_PC32", S_A_P, 4, SIGNED },
	{ R_X86_64_GOT32, "R_X86_64_GOT32", G_A, 4, SIGNED },
	{ R_X86_64_PLT32, "R_X86_64_PLT32", S_A_P, 4, SIGNED },
	{ R_X86_64_GOTPCREL, "R_X86_64_GOTPCREL", G_GOT_A_P, 4, SIGNED },
	{ R_X86_64_32, "R_X86_64_32", S_A, 4, UNSIGNED },
	{ R_X86_64_32S, "R_X86_64_32S", S_A, 4, SIGNED },
	{ R_X86_64_16, "R_X86_64_16", S_A, 2, EITHER },
	{ R_X86_64_PC16, "R_X86_64_PC16", S_A_P, 2, SIGNED },
	{ R_X86_64_8, "R_X86_64_8", S_A, 1, EITHER },
	{ R_X86_64_PC8, "R_X86_64_PC8", S_A_P, 1, SIGNED },
	{ R_X86_64_PC64, "R_X86_64_PC64", S_A_P, 8, FULL },
	{ R_X86_64_GOTOFF64, "R_X86_64_GOTOFF64", S_A_GOT, 8, FULL },
	{ R_X86_64_GOTPC32, "R_X86_64_GOTPC32", GOT_A_P, 4, SIGNED },
	{ R_X86_64_GOT64, "R_X86_64_GOT64", G_A, 8, FULL },
	{ R_X86_64_GOTPCREL64, "R_X86_64_GOTPCREL64", G_GOT_A_P, 8, FULL },
	{ R_X86_64_GOTPC64, "R_X86_64_GOTPC64", GOT_A_P, 8, FULL },
	{ R_X86_64_PLTOFF64, "R_X86_64_PLTOFF64", S_A_GOT, 8, FULL },
	{ R_X86_64_SIZE32, "R_X86_64_SIZE32", Z_A, 4, UNSIGNED },
	{ R_X86_64_SIZE64, "R_X86_64_SIZE64", Z_A, 8, FULL },
	{ R_X86_64_GOTPCRELX, "R_X86_64_GOTPCRELX", G_GOT_A_P, 4, SIGNED },
	{ R_X86_64_REX_GOTPCRELX, "R_X86_64_REX_GOTPCRELX", G_GOT_A_P, 4, SIGNED },
};

/* They are for thread-local variables, whose place is known when a program is linked. */
static const unsigned of_threads[] = {
	R_X86_64_DTPMOD64,        R_X86_64_DTPOFF64,     R_X86_64_TPOFF64,  R_X86_64_TLSGD,
	R_X86_64_TLSLD,           R_X86_64_DTPOFF32,     R_X86_64_GOTTPOFF, R_X86_64_TPOFF32,
	R_X86_64_GOTPC32_TLSDESC, R_X86_64_TLSDESC_CALL, R_X86_64_TLSDESC,
};

static const struct type *find_type(unsigned number)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].number == number)
			return &types[i];
	return NULL;
}

static bool is_of_threads(unsigned number)
{
	for (size_t i = 0; i < sizeof(of_threads) / sizeof(*of_threads); i++)
		if (of_threads[i] == number)
			return true;
	return false;
}

bool rsb_elf_relocation_has_slot(unsigned number)
{
	const struct type *type = find_type(number);

	return type &&
	       (type->formula == G_A || type->formula == G_GOT_A || type->formula == G_GOT_A_P);
}

/* A relocation under way. */
struct work {
	const struct rsb_elf_object *object;
	const GElf_Shdr *table;
	size_t number, index; /* the symbol's */
	const GElf_Rela *relocation;
	struct rsb_elf_symbol symbol;
	uint64_t place;
};

/* "f.o: relocation 3 of .rela.text (at .text+0x12, against foo)". */
static bool refuse(const struct work *work, struct rsb_error *error, const char *what)
{
	const struct rsb_elf *file = work->object->file;
	const char *symbol = work->symbol.name;
	GElf_Shdr target;
	struct rsb_error none;

	/* It was read before, when the relocations were counted. */
	if (!rsb_elf_section(file, work->table->sh_info, &target, &none))
		memset(&target, 0, sizeof(target));
	return rsb_error_set(error, "%s: relocation %zu of %s, at %s+0x%" PRIx64 "%s%s: %s",
			     file->name, work->number, rsb_elf_section_name(file, work->table),
			     rsb_elf_section_name(file, &target), work->relocation->r_offset,
			     *symbol ? " against " : "", symbol, what);
}

static uint64_t compute(const struct work *work, enum formula formula)
{
	const struct rsb_elf_object *object = work->object;
	uint64_t s = object->values[work->index];
	uint64_t a = (uint64_t)work->relocation->r_addend, p = work->place;
	uint64_t got = object->slots_at;
	uint64_t g = object->slots[work->index] ? (object->slots[work->index] - 1) * UINT64_C(8)
						: 0;

	switch (formula) {
	case S_A:
		return s + a;
	case S_A_P:
		return s + a - p;
	case G_A:
		return g + a;
	case G_GOT_A:
		return g + got + a;
	case G_GOT_A_P:
		return g + got + a - p;
	case S_A_GOT:
		return s + a - got;
	case GOT_A_P:
		return got + a - p;
	case Z_A:
		break;
	}
	return work->symbol.size + a;
}

static bool fits(uint64_t value, const struct type *type)
{
	unsigned bits = 8u * type->width;
	uint64_t half = UINT64_C(1) << (bits - 1);
	bool is_signed = value + half < 2 * half, is_unsigned = value < 2 * half;

	switch (type->check) {
	case SIGNED:
		return is_signed;
	case UNSIGNED:
		return is_unsigned;
	case EITHER:
		return is_signed || is_unsigned;
	case FULL:
		break;
	}
	return true;
}

static bool write(struct rsb_elf_object *object, const struct work *work, const struct type *type,
		  struct rsb_error *error)
{
	uint64_t value = compute(work, type->formula);
	uint8_t *field = object->bytes + (work->place - object->base);
	struct rsb_error text;

	if (!fits(value, type)) {
		rsb_error_set(&text, "%s: 0x%" PRIx64 " does not fit in %u bits", type->name, value,
			      8u * type->width);
		return refuse(work, error, text.text);
	}
	for (uint8_t i = 0; i < type->width; i++)
		field[i] = (uint8_t)(value >> 8 * i);
	return true;
}

/* Is the field in its section, and is that in memory? */
static bool find_place(struct work *work, size_t width, struct rsb_error *error)
{
	GElf_Shdr target;

	if (!rsb_elf_section(work->object->file, work->table->sh_info, &target, error))
		return false;
	if (work->relocation->r_offset > target.sh_size ||
	    width > target.sh_size - work->relocation->r_offset)
		return refuse(work, error, "is behind the end of its section");
	if (target.sh_type == SHT_NOBITS)
		return refuse(work, error, "is in a section without contents");
	work->place = work->object->sections[work->table->sh_info] + work->relocation->r_offset;
	return true;
}

bool rsb_elf_object_relocate(struct rsb_elf_object *object, const GElf_Shdr *table, size_t number,
			     const GElf_Rela *relocation, struct rsb_error *error)
{
	unsigned type_number = GELF_R_TYPE(relocation->r_info);
	const struct type *type = find_type(type_number);
	struct work work = {
		.object = object,
		.table = table,
		.number = number,
		.index = GELF_R_SYM(relocation->r_info),
		.relocation = relocation,
		.symbol = { .name = "" },
	};
	struct rsb_error text;

	if (type_number == R_X86_64_NONE)
		return true;
	if (work.index &&
	    !rsb_elf_symbols_get(&object->symbols, object->file, work.index, &work.symbol, error))
		return false;
	if (is_of_threads(type_number))
		return refuse(&work, error,
			      "a thread-local variable has no place before the file is linked");
	if (!type) {
		rsb_error_set(&text, "type %u is not supported", type_number);
		return refuse(&work, error, text.text);
	}
	if (work.symbol.type == STT_GNU_IFUNC)
		return refuse(&work, error,
			      "is an indirect function, which is chosen when a program starts: "
			      "define it");
	return find_place(&work, type->width, error) && write(object, &work, type, error);
}
