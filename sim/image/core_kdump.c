/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the kernel's page tables in a dump: the headers at once, the frames when they are touched.
 */
#include "sim/image/core_kdump.h"

#include "sim/image/core_kdump_frames.h"
#include "sim/image/page_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the forms begin with (makedumpfile 1.7: diskdump_mod.h, makedumpfile.h). */
static const struct form {
	const char *mark;
	const char *refusal; /* NULL: it is read */
} forms[] = {
	{ "KDUMP   ", NULL },
	{ "DISKDUMP", "diskdump's compressed form: expected makedumpfile's, or an ELF core" },
	{ "makedumpfile", "makedumpfile's flattened form: expected it as makedumpfile -R writes "
			  "it, or an ELF core" },
};

#define MARK_SIZE 16 /* the flattened form fills its mark up with zeros */

/* Of the control registers. */
#define TABLE       UINT64_C(0x000ffffffffff000) /* CR3 */
#define FIVE_LEVELS UINT64_C(0x1000)             /* CR4: LA57 */

/* The kernel's code is mapped from here on, less what it was moved by. */
#define KERNEL_MAP UINT64_C(0xffffffff80000000)

struct dump {
	struct rsb_kdump kdump;
	struct rsb_page_tables tables;
};

static const struct form *find_form(int file)
{
	char start[MARK_SIZE];

	if (pread(file, start, sizeof(start), 0) != (ssize_t)sizeof(start))
		return NULL;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!memcmp(start, forms[i].mark, strlen(forms[i].mark)))
			return &forms[i];
	return NULL;
}

bool rsb_core_kdump_is(int file)
{
	return find_form(file) != NULL;
}

static void release(void *context)
{
	struct dump *dump = context;

	close(dump->kdump.file);
	free(dump->kdump.before);
	free(dump->kdump.name);
	free(dump);
}

static bool read_page(void *context, uint64_t address, uint8_t page[RSB_PAGE],
		      struct rsb_error *error)
{
	struct dump *dump = context;
	uint64_t physical;

	if (rsb_page_tables_find(&dump->tables, address, &physical, error) &&
	    rsb_kdump_frame(&dump->kdump, physical, page, error))
		return true;
	return error->text[0] && rsb_error_prefix(error, "%s", dump->kdump.name);
}

/* The value in a line of VMCOREINFO. NULL: it has no such line. */
static const char *find_line(const char *info, const char *key)
{
	size_t length = strlen(key);

	while (info) {
		if (!strncmp(info, key, length) && info[length] == '=')
			return info + length + 1;
		info = strchr(info, '\n');
		info = info ? info + 1 : NULL;
	}
	return NULL;
}

/* A number of the kernel's VMCOREINFO. False: it has none of that name. */
static bool tell(const char *info, const char *key, int base, uint64_t *value)
{
	const char *text = find_line(info, key);
	char *end;

	if (!text)
		return false;
	errno = 0;
	/* Signed ones are there too, and come out right in 64 bits. */
	*value = strtoull(text, &end, base);
	return !errno && end != text && (*end == '\n' || !*end);
}

/* Where the page tables are: as the kernel tells debuggers (kernel/crash_core.c). */
static bool find_kernel(struct dump *dump, const char *info, struct rsb_core_notes *notes)
{
	uint64_t symbol, base, fifth = 0, encryption = 0;

	if ((!tell(info, "SYMBOL(init_top_pgt)", 16, &symbol) &&
	     !tell(info, "SYMBOL(swapper_pg_dir)", 16, &symbol) &&
	     !tell(info, "SYMBOL(init_level4_pgt)", 16, &symbol)) ||
	    !tell(info, "NUMBER(phys_base)", 10, &base))
		return false;
	tell(info, "NUMBER(pgtable_l5_enabled)", 10, &fifth);
	tell(info, "NUMBER(sme_mask)", 10, &encryption);
	dump->tables.root = (symbol - KERNEL_MAP + base) & TABLE;
	dump->tables.levels = fifth ? 5 : 4;
	dump->tables.ignored = encryption;
	if (tell(info, "KERNELOFFSET", 16, &notes->shift))
		notes->has_shift = true;
	return true;
}

/* Or those that a processor had: they have the kernel's half too. */
static bool find_tables(struct dump *dump, struct rsb_core_notes *notes, struct rsb_error *error)
{
	char *info = rsb_kdump_text(&dump->kdump, RSB_KDUMP_VMCOREINFO, error);
	bool found;

	if (!info)
		return false;
	dump->tables =
		(struct rsb_page_tables){ .frame = rsb_kdump_frame, .context = &dump->kdump };
	found = find_kernel(dump, info, notes);
	free(info);
	if (found)
		return true;
	if (!notes->has_control)
		return rsb_error_set(error,
				     "where its page tables are is not known: expected VMCOREINFO "
				     "with swapper_pg_dir and phys_base, or QEMU's note of a "
				     "processor");
	dump->tables.root = notes->cr3 & TABLE;
	dump->tables.levels = notes->cr4 & FIVE_LEVELS ? 5 : 4;
	return true;
}

static bool read_notes(const struct dump *dump, struct rsb_core_notes *notes,
		       struct rsb_error *error)
{
	const struct rsb_kdump *kdump = &dump->kdump;

	notes->bytes = rsb_kdump_text(kdump, RSB_KDUMP_NOTES, error);
	if (!notes->bytes)
		return rsb_error_prefix(error, "%s", kdump->name);
	return rsb_core_notes_parse(notes, (const uint8_t *)notes->bytes,
				    kdump->texts[RSB_KDUMP_NOTES].size, kdump->name,
				    kdump->texts[RSB_KDUMP_NOTES].at, error);
}

/* QEMU's dumps tell no access, and all is allowed; so it is here. */
static bool back(struct rsb_image *image, struct dump *dump, struct rsb_error *error)
{
	struct rsb_page_range *ranges;
	size_t count;
	bool good = true;

	if (!rsb_page_tables_list(&dump->tables, &ranges, &count, error))
		return false;
	for (size_t i = 0; good && i < count; i++) {
		char name[256];

		snprintf(name, sizeof(name), "range %zu of %s", i, dump->kdump.name);
		good = rsb_image_back(image, name, ranges[i].first,
				      ranges[i].last - ranges[i].first + 1,
				      RSB_READ | RSB_WRITE | RSB_EXECUTE, read_page, dump, error);
	}
	free(ranges);
	return good && (count || rsb_error_set(error, "its page tables are empty"));
}

static bool load(struct rsb_image *image, struct dump *dump, struct rsb_core_notes *notes,
		 struct rsb_error *error)
{
	if (!dump->kdump.name)
		return rsb_error_set(error, "out of memory");
	if (!rsb_kdump_read(&dump->kdump, error))
		return rsb_error_prefix(error, "%s", dump->kdump.name);
	return read_notes(dump, notes, error) &&
	       ((find_tables(dump, notes, error) && back(image, dump, error)) ||
		rsb_error_prefix(error, "%s", dump->kdump.name));
}

static bool open_dump(struct rsb_image *image, int file, const char *name,
		      struct rsb_core_notes *notes, struct rsb_error *error)
{
	struct dump *dump = calloc(1, sizeof(*dump));

	if (!dump) {
		close(file);
		return rsb_error_set(error, "out of memory");
	}
	dump->kdump.file = file;
	dump->kdump.name = strdup(name);
	if (rsb_image_own(image, dump, release))
		return load(image, dump, notes, error);
	release(dump);
	return rsb_error_set(error, "out of memory");
}

bool rsb_core_kdump_open(struct rsb_image *image, int file, const char *name,
			 struct rsb_core_notes *notes, struct rsb_error *error)
{
	const struct form *form = find_form(file);

	if (!form || !form->refusal)
		return open_dump(image, file, name, notes, error);
	close(file);
	return rsb_error_set(error, "%s: is in %s", name, form->refusal);
}
