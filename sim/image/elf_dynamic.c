/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocates a linked file as the dynamic loader would, as far as the file goes by itself. It is
 * done by the dynamic section, which a stripped file has too.
 */
#include "sim/image/elf_imports.h"

#include "sim/image/thread.h"
#include "traces/bytes.h"

#include <inttypes.h>
#include <string.h>

struct dynamic {
	struct rsb_elf_runs *runs;
	struct rsb_elf *file;
	uint64_t symbols, strings, strings_size;
	struct {
		uint64_t at, size;
	} tables[2];                      /* of relocations: the file's, and those of its PLT */
	uint64_t relative, relative_size; /* addresses of words that only need the base */
	struct rsb_elf_imports imports;
};

static void take_tag(struct dynamic *dynamic, uint64_t tag, uint64_t value)
{
	uint64_t address = value + dynamic->runs->bias;

	switch (tag) {
	case DT_SYMTAB:
		dynamic->symbols = address;
		break;
	case DT_STRTAB:
		dynamic->strings = address;
		break;
	case DT_STRSZ:
		dynamic->strings_size = value;
		break;
	case DT_RELA:
		dynamic->tables[0].at = address;
		break;
	case DT_RELASZ:
		dynamic->tables[0].size = value;
		break;
	case DT_JMPREL:
		dynamic->tables[1].at = address;
		break;
	case DT_PLTRELSZ:
		dynamic->tables[1].size = value;
		break;
	case DT_RELR:
		dynamic->relative = address;
		break;
	case DT_RELRSZ:
		dynamic->relative_size = value;
		break;
	}
}

static void read_tags(struct dynamic *dynamic)
{
	const struct rsb_elf_runs *runs = dynamic->runs;
	const uint8_t *at;

	for (uint64_t i = 0; i + 16 <= runs->dynamic_size; i += 16) {
		at = rsb_elf_runs_at(runs, runs->dynamic + i, 16);
		if (!at || rsb_get_u64(at) == DT_NULL)
			return;
		take_tag(dynamic, rsb_get_u64(at), rsb_get_u64(at + 8));
	}
}

/* A static executable has no dynamic section, and relocations only of its indirect functions. */
static bool read_sections(struct dynamic *dynamic, struct rsb_error *error)
{
	GElf_Shdr header;

	for (size_t i = 1; i < dynamic->file->sections; i++) {
		if (!rsb_elf_section(dynamic->file, i, &header, error))
			return false;
		if (header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC))
			continue;
		dynamic->tables[0].at = header.sh_addr + dynamic->runs->bias;
		dynamic->tables[0].size = header.sh_size;
	}
	return true;
}

/* A symbol's name; "" if it has none. */
static const char *name_of(const struct dynamic *dynamic, const uint8_t *symbol)
{
	uint32_t offset = rsb_get_u32(symbol);
	uint64_t room = offset < dynamic->strings_size ? dynamic->strings_size - offset : 0;
	const uint8_t *name = NULL;

	if (room)
		name = rsb_elf_runs_at(dynamic->runs, dynamic->strings + offset, room);
	return name && memchr(name, '\0', room) ? (const char *)name : "";
}

/* One relocation, as it stands in the file. */
struct relocation {
	uint64_t place, type, symbol;
	int64_t addend;
	uint8_t *field;
};

static void put_u64(uint8_t *to, uint64_t value)
{
	for (size_t i = 0; i < sizeof(value); i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

/*
 * An indirect function has the name of what chooses it. Of several names (strlen, strlen_ifunc) it
 * is the one that the user defines, if any.
 */
static const char *name_indirect(const struct rsb_elf *file, uint64_t resolver)
{
	const struct rsb_elf_options *options = file->options;
	struct rsb_error ignored;
	uint64_t start, end;
	const char *name;

	for (size_t i = 0; i < options->define_count; i++)
		if (rsb_image_find(file->image, options->defines[i].symbol, &start, &ignored) &&
		    start == resolver)
			return options->defines[i].symbol;
	name = rsb_image_symbol_at(file->image, resolver, &start, &end);
	return name && start == resolver ? name : "";
}

static bool add_indirect(struct dynamic *dynamic, const struct relocation *relocation,
			 struct rsb_error *error)
{
	uint64_t resolver = (uint64_t)relocation->addend + dynamic->runs->bias;
	const struct rsb_elf_import import = {
		.field = relocation->place,
		.indirect = true,
		.name = name_indirect(dynamic->file, resolver),
	};

	return rsb_elf_imports_add(&dynamic->imports, &import, dynamic->file, error);
}

/* How far a thread-local variable is from the FS base. */
static uint64_t thread_offset(const struct rsb_elf *file, uint64_t value)
{
	const struct rsb_thread thread = { .size = file->tls_size,
					   .alignment = file->tls_alignment };

	return value - rsb_thread_offset(&thread);
}

/* A weak symbol that nobody defines is 0, and code that refers to it looks whether it is. */
static bool is_absent(const struct dynamic *dynamic, const uint8_t *symbol, const char *name)
{
	return GELF_ST_BIND(symbol[4]) == STB_WEAK && !rsb_elf_import_is_stub(dynamic->file, name);
}

/* Of a symbol that the file defines, the address; else it becomes an import. */
static bool relocate_symbol(struct dynamic *dynamic, const struct relocation *relocation,
			    struct rsb_error *error)
{
	uint64_t at = dynamic->symbols + relocation->symbol * sizeof(Elf64_Sym), value;
	const uint8_t *symbol = rsb_elf_runs_at(dynamic->runs, at, sizeof(Elf64_Sym));
	struct rsb_elf_import import = { .field = relocation->place, .addend = relocation->addend };
	bool defined;

	if (!symbol)
		return rsb_error_set(error,
				     "%s: the relocation at 0x%" PRIx64
				     " is against symbol %" PRIu64 ", which is not in the file",
				     dynamic->file->name, relocation->place, relocation->symbol);
	defined = (symbol[6] | symbol[7]) && GELF_ST_TYPE(symbol[4]) != STT_GNU_IFUNC;
	value = rsb_get_u64(symbol + 8) + (uint64_t)relocation->addend;
	if (relocation->type == R_X86_64_TPOFF64) {
		if (defined || !relocation->symbol)
			put_u64(relocation->field, thread_offset(dynamic->file, value));
		return true;
	}
	import.name = name_of(dynamic, symbol);
	if (rsb_elf_defined(dynamic->file, import.name) ||
	    (!defined && !is_absent(dynamic, symbol, import.name)))
		return rsb_elf_imports_add(&dynamic->imports, &import, dynamic->file, error);
	put_u64(relocation->field, defined ? value + dynamic->runs->bias : 0);
	return true;
}

/*
 * What is not known here is left as the file has it: R_X86_64_COPY leaves zeros, and those of
 * thread-local variables of other files are for calls that would go there.
 */
static bool relocate(struct dynamic *dynamic, const struct relocation *relocation,
		     struct rsb_error *error)
{
	switch (relocation->type) {
	case R_X86_64_RELATIVE:
		put_u64(relocation->field, (uint64_t)relocation->addend + dynamic->runs->bias);
		return true;
	case R_X86_64_IRELATIVE:
		return add_indirect(dynamic, relocation, error);
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_TPOFF64:
		return relocate_symbol(dynamic, relocation, error);
	default:
		return true;
	}
}

static bool walk_table(struct dynamic *dynamic, uint64_t at, uint64_t size, struct rsb_error *error)
{
	uint64_t count = size / sizeof(Elf64_Rela);
	const uint8_t *rows = rsb_elf_runs_at(dynamic->runs, at, count * sizeof(Elf64_Rela));

	if (!rows && count)
		return rsb_error_set(
			error, "%s: %" PRIu64 " relocations at 0x%" PRIx64 " are not in the file",
			dynamic->file->name, count, at);
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *row = rows + i * sizeof(Elf64_Rela);
		uint64_t info = rsb_get_u64(row + 8);
		struct relocation relocation = {
			.place = rsb_get_u64(row) + dynamic->runs->bias,
			.type = ELF64_R_TYPE(info),
			.symbol = ELF64_R_SYM(info),
			.addend = (int64_t)rsb_get_u64(row + 16),
		};

		relocation.field =
			rsb_elf_runs_at(dynamic->runs, relocation.place, sizeof(uint64_t));
		if (relocation.type == R_X86_64_COPY || relocation.type == R_X86_64_NONE)
			continue;
		if (!relocation.field)
			return rsb_error_set(error,
					     "%s: relocation %" PRIu64 " of the table at 0x%" PRIx64
					     " is of 0x%" PRIx64 ", which is not in the file",
					     dynamic->file->name, i, at, relocation.place);
		if (!relocate(dynamic, &relocation, error))
			return false;
	}
	return true;
}

static void add_base(struct dynamic *dynamic, uint64_t address)
{
	uint8_t *word = rsb_elf_runs_at(dynamic->runs, address, sizeof(uint64_t));

	if (word)
		put_u64(word, rsb_get_u64(word) + dynamic->runs->bias);
}

/* An even word is an address; an odd one has a bit for each of the 63 words that follow. */
static void walk_relative(struct dynamic *dynamic)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i + 8 <= dynamic->relative_size; i += 8) {
		const uint8_t *at = rsb_elf_runs_at(dynamic->runs, dynamic->relative + i, 8);
		uint64_t word;

		if (!at)
			return;
		word = rsb_get_u64(at);
		if (!(word & 1)) {
			next = word + dynamic->runs->bias;
			add_base(dynamic, next);
			next += 8;
			continue;
		}
		for (unsigned bit = 1; bit < 64; bit++)
			if (word >> bit & 1)
				add_base(dynamic, next + 8 * (bit - 1));
		next += 8 * 63;
	}
}

bool rsb_elf_runs_relocate(struct rsb_elf_runs *runs, struct rsb_elf *file, struct rsb_error *error)
{
	struct dynamic dynamic = { .runs = runs, .file = file };
	bool good = true;

	if (runs->dynamic_size)
		read_tags(&dynamic);
	else
		good = read_sections(&dynamic, error);
	walk_relative(&dynamic);
	for (size_t i = 0; good && i < sizeof(dynamic.tables) / sizeof(*dynamic.tables); i++)
		good = walk_table(&dynamic, dynamic.tables[i].at, dynamic.tables[i].size, error);
	good = good && rsb_elf_imports_place(&dynamic.imports, runs, file, error);
	rsb_elf_imports_release(&dynamic.imports);
	return good;
}
