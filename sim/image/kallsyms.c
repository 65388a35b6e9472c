/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of /proc/kallsyms: one pass, no copy of a line, for a kernel has 200 000 of them. */
#include "sim/image/kallsyms.h"

#include "traces/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MAX (64u << 20)
#define LINES_MAX (2u << 20)

struct cursor {
	const char *at, *end;
};

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool take_address(struct cursor *cursor, uint64_t *address)
{
	const char *start = cursor->at;

	*address = 0;
	while (cursor->at < cursor->end && digit_of(*cursor->at) >= 0)
		*address = *address << 4 | (uint64_t)digit_of(*cursor->at++);
	return cursor->at > start && cursor->at - start <= 16;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool take_blanks(struct cursor *cursor)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
	return cursor->at > start;
}

/* A word of printable bytes. */
static bool take_word(struct cursor *cursor, const char **word, size_t *length)
{
	*word = cursor->at;
	while (cursor->at<cursor->end && * cursor->at> ' ' && *cursor->at < 0x7f)
		cursor->at++;
	*length = (size_t)(cursor->at - *word);
	return *length > 0;
}

/* The rest of the line: nothing, or a module's name in brackets. */
static bool take_module(struct cursor *cursor, struct rsb_kallsym *symbol)
{
	symbol->module = "";
	symbol->module_length = 0;
	if (take_blanks(cursor) && take_word(cursor, &symbol->module, &symbol->module_length) &&
	    (symbol->module[0] != '[' || symbol->module[symbol->module_length - 1] != ']'))
		return false;
	take_blanks(cursor);
	return cursor->at == cursor->end;
}

static bool parse_line(struct cursor line, struct rsb_kallsym *symbol)
{
	const char *type;
	size_t type_length;

	if (!take_address(&line, &symbol->address) || !take_blanks(&line) ||
	    !take_word(&line, &type, &type_length) || type_length != 1 || !take_blanks(&line) ||
	    !take_word(&line, &symbol->name, &symbol->length) || symbol->length >= RSB_KALLSYM_NAME)
		return false;
	symbol->type = *type;
	return take_module(&line, symbol);
}

static bool refuse_line(const char *name, size_t number, struct cursor line,
			struct rsb_error *error)
{
	int shown = line.end - line.at < 60 ? (int)(line.end - line.at) : 60;

	return rsb_error_set(error,
			     "%s:%zu: expected \"address type name [module]\" with a hexadecimal "
			     "address, found \"%.*s\"",
			     name, number, shown, line.at);
}

static struct cursor take_line(struct cursor *text)
{
	const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));
	struct cursor line = { text->at, end ? end : text->end };

	text->at = end ? end + 1 : text->end;
	return line;
}

bool rsb_kallsyms_walk(const char *name, const char *text, size_t size,
		       bool (*each)(void *context, const struct rsb_kallsym *symbol,
				    struct rsb_error *error),
		       void *context, struct rsb_error *error)
{
	struct cursor rest = { text, text + size };
	struct rsb_kallsym symbol;
	uint64_t any = 0;
	size_t number = 0;

	while (rest.at < rest.end) {
		struct cursor line = take_line(&rest);

		if (++number > LINES_MAX)
			return rsb_error_set(error, "%s: expected at most %u lines", name,
					     LINES_MAX);
		if (!parse_line(line, &symbol))
			return refuse_line(name, number, line, error);
		if (!each(context, &symbol, error))
			return rsb_error_prefix(error, "%s", name);
		any |= symbol.address;
	}
	if (!number)
		return rsb_error_set(error, "%s: lists no symbols", name);
	return any || rsb_error_set(error,
				    "%s: every address is 0: the kernel hid them when the file was "
				    "read; read it as root, with kernel.kptr_restrict at 0 or 1",
				    name);
}

static bool enter(void *image, const struct rsb_kallsym *symbol, struct rsb_error *error)
{
	char name[RSB_KALLSYM_NAME];

	memcpy(name, symbol->name, symbol->length);
	name[symbol->length] = '\0';
	return rsb_image_symbol(image, name, symbol->address, 0, error);
}

bool rsb_kallsyms_parse(struct rsb_image *image, const char *name, const char *text, size_t size,
			struct rsb_error *error)
{
	return rsb_kallsyms_walk(name, text, size, enter, image, error);
}

/* /proc says that its files have no size, so they are read up to their end. */
static bool read_all(struct rsb_input *input, char **text, size_t *size, struct rsb_error *error)
{
	size_t room = 0, got;

	*size = 0;
	do {
		char *larger;

		room = room ? room * 2 : 1u << 17;
		larger = realloc(*text, room);
		if (!larger)
			return rsb_error_set(error, "%s: out of memory", rsb_input_name(input));
		*text = larger;
		if (!rsb_input_read(input, larger + *size, room - *size, &got, error))
			return false;
		*size += got;
	} while (*size == room && room <= BYTES_MAX);
	return *size <= BYTES_MAX || rsb_error_set(error, "%s: expected at most %u bytes",
						   rsb_input_name(input), BYTES_MAX);
}

/* "-" is a file of that name. */
static struct rsb_input *open_file(const char *path, struct rsb_error *error)
{
	if (access(path, R_OK) == 0)
		return rsb_input_open(strcmp(path, "-") ? path : "./-", error);
	return rsb_error_null(error, "%s: cannot be opened: %s", path, strerror(errno));
}

char *rsb_kallsyms_read(const char *path, size_t *size, struct rsb_error *error)
{
	struct rsb_input *input = open_file(path, error);
	char *text = NULL;

	if (!input)
		return NULL;
	if (!read_all(input, &text, size, error)) {
		free(text);
		text = NULL;
	}
	rsb_input_free(input);
	return text;
}

bool rsb_kallsyms_load(struct rsb_image *image, const char *path, struct rsb_error *error)
{
	size_t size;
	char *text = rsb_kallsyms_read(path, &size, error);
	bool good = text && rsb_kallsyms_parse(image, path, text, size, error);

	free(text);
	return good;
}
