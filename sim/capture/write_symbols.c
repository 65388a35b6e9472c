/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Picks the symbols of the pages that are kept. */
#include "sim/capture/private.h"

#include "sim/image/capture.h"
#include "sim/image/kallsyms.h"
#include "sim/image/symbols.h"
#include "traces/util/grow.h"
#include "traces/util/rank.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARK (sizeof(RSB_CAPTURE_CALLED) - 1)

struct list {
	struct rsb_kallsym *symbols;
	size_t count;
};

/* Of another capture, which this one is taken of: what it called need not be called here. */
static bool starts_with_mark(const struct rsb_kallsym *symbol)
{
	return symbol->length > MARK && !memcmp(symbol->name, RSB_CAPTURE_CALLED, MARK);
}

static bool add(void *context, const struct rsb_kallsym *symbol, struct rsb_error *error)
{
	struct list *list = context;

	if (starts_with_mark(symbol))
		return true;
	if (!RSB_GROW(list->symbols, list->count))
		return rsb_error_set(error, "out of memory");
	list->symbols[list->count++] = *symbol;
	return true;
}

/* Of several at one address the first in the file names it, so that their order stays. */
static int compare(const void *left, const void *right)
{
	const struct rsb_kallsym *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* The first symbol at address or behind it. */
static size_t rank(const struct list *list, uint64_t address)
{
	return RSB_RANK_BELOW(list->symbols, list->count, address, address);
}

static bool write_symbol(FILE *out, const struct rsb_kallsym *symbol)
{
	return fprintf(out, "%016" PRIx64 " %c %.*s%s%.*s\n", symbol->address, symbol->type,
		       (int)symbol->length, symbol->name, symbol->module_length ? "\t" : "",
		       (int)symbol->module_length, symbol->module) > 0;
}

static bool is_called(const struct rsb_capture *capture, const struct rsb_kallsym *symbol)
{
	for (size_t i = 0; i < capture->called_count; i++)
		if (strlen(capture->called[i]) == symbol->length &&
		    !memcmp(capture->called[i], symbol->name, symbol->length))
			return true;
	return false;
}

/* The mark stands behind the function's own name, which is the one that code there is known by. */
static bool write_marked(const struct rsb_capture *capture, FILE *out,
			 const struct rsb_kallsym *symbol)
{
	if (!write_symbol(out, symbol))
		return false;
	return symbol->length + MARK >= RSB_KALLSYM_NAME || !is_called(capture, symbol) ||
	       fprintf(out, "%016" PRIx64 " %c " RSB_CAPTURE_CALLED "%.*s\n", symbol->address,
		       symbol->type, (int)symbol->length, symbol->name) > 0;
}

/*
 * The symbols from first on that are at last or below; those of one address count as one, and the
 * function that the first page begins in, and where the last one's ends, belong to them.
 */
static void widen(const struct list *list, uint64_t first, uint64_t last, size_t *from, size_t *to)
{
	const struct rsb_kallsym *symbols = list->symbols;

	*from = rank(list, first);
	*to = last == UINT64_MAX ? list->count : rank(list, last + 1);
	if (*from && (*from == list->count || symbols[*from].address != first) &&
	    first - symbols[*from - 1].address < RSB_SYMBOL_REACH)
		*from = rank(list, symbols[*from - 1].address);
	if (*to < list->count && symbols[*to].address - last <= RSB_SYMBOL_REACH)
		*to = symbols[*to].address == UINT64_MAX ? list->count
							 : rank(list, symbols[*to].address + 1);
}

static bool write_runs(const struct rsb_capture *capture, const struct list *list, FILE *out)
{
	struct rsb_capture_run run = { 0 };
	size_t next = 0; /* those before are written */
	bool good = true;

	while (good && rsb_capture_next_run(capture, &run)) {
		uint64_t first = capture->pages.array[run.first]->address;
		size_t from, to;

		widen(list, first, first + (run.count * RSB_PAGE - 1), &from, &to);
		for (next = from > next ? from : next; good && next < to; next++)
			good = write_marked(capture, out, &list->symbols[next]);
	}
	return good;
}

bool rsb_capture_write_symbols(const struct rsb_capture *capture, const char *path, FILE *out,
			       struct rsb_error *error)
{
	struct list list = { NULL, 0 };
	size_t size;
	char *text = rsb_kallsyms_read(path, &size, error);
	bool good = text && rsb_kallsyms_walk(path, text, size, add, &list, error);

	if (good) {
		qsort(list.symbols, list.count, sizeof(*list.symbols), compare);
		good = write_runs(capture, &list, out) ||
		       rsb_error_set(error, "cannot be written: %s", strerror(errno));
	}
	free(list.symbols);
	free(text);
	return good;
}
