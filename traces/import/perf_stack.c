/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of branch stacks: FROM/TO/EVENT/INTX/ABORT/CYCLES, with /TYPE/SPEC behind in newer
 * versions. A place is 0x401000 or main+0x10, either with the file behind in parentheses. Names of
 * symbols hold slashes and blanks too, so an entry is found from its end.
 */
#include "traces/import/perf_line.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS   " \t"
#define REST_MAX 4 /* parts behind EVENT/INTX/ABORT: three, and one that is yet to come */

/* The words of tools/perf/util/branch.c. */
static const struct {
	const char *word;
	uint8_t kind, flags;
} types[] = {
	{ "COND", RSB_BRANCH_TAKEN, 0 },
	{ "UNCOND", RSB_JUMP, 0 },
	{ "IND", RSB_JUMP_INDIRECT, 0 },
	{ "CALL", RSB_CALL, 0 },
	{ "IND_CALL", RSB_CALL, RSB_SITE_INDIRECT },
	{ "RET", RSB_RETURN, 0 },
	{ "SYSCALL", RSB_SYSCALL, 0 },
	{ "SYSRET", RSB_SYSRET, 0 },
	{ "COND_CALL", RSB_CALL, 0 },
	{ "COND_RET", RSB_RETURN, 0 },
	{ "ERET", RSB_IRET, 0 },
	{ "IRQ", RSB_INTERRUPT, 0 },
	{ "SERROR", RSB_INTERRUPT, 0 },
	{ "FAULT_ALGN", RSB_INTERRUPT, 0 },
	{ "FAULT_DATA", RSB_INTERRUPT, 0 },
	{ "FAULT_INST", RSB_INTERRUPT, 0 },
};

/* A part of the line between slashes. */
struct part {
	const char *text;
	size_t length;
	bool more; /* a slash follows */
};

static bool part_is(const struct part *part, const char *word)
{
	return part->length == strlen(word) && !memcmp(part->text, word, part->length);
}

/* Up to the next slash or blank; *at is then behind the slash, or at what ends the entry. */
static struct part take_part(const char **at)
{
	struct part part = { .text = *at, .length = strcspn(*at, "/" BLANKS) };

	*at += part.length;
	part.more = **at == '/';
	*at += part.more;
	return part;
}

static bool read_event(const struct part *part, struct rsb_perf_branch *branch, bool *not_taken)
{
	if (!part->length || part->length > 2)
		return false;
	*not_taken = false;
	branch->verdict = RSB_VERDICT_NONE;
	for (size_t i = 0; i < part->length; i++) {
		switch (part->text[i]) {
		case 'M':
			branch->verdict = RSB_VERDICT_MISS;
			break;
		case 'P':
			branch->verdict = RSB_VERDICT_HIT;
			break;
		case 'N':
			*not_taken = true;
			break;
		case '-':
			break;
		default:
			return false;
		}
	}
	return true;
}

/* What may follow the three flags: the cycles, the type and the path, each of them or '-'. */
static bool read_rest(const struct part *part, struct rsb_perf_branch *branch)
{
	size_t digits = strspn(part->text, "0123456789");

	if (digits && digits >= part->length) {
		branch->cycles = (uint32_t)strtoul(part->text, NULL, 10);
		return true;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (part_is(part, types[i].word)) {
			branch->kind = types[i].kind;
			branch->flags = types[i].flags;
			return true;
		}
	}
	branch->wrong_path |= part_is(part, "SPEC_WRONG_PATH");
	/* Some versions print nothing at all for a type that is not known. */
	return strspn(part->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") >= part->length;
}

/* Is what follows the slash the end of an entry? *end is then behind it. */
static bool read_tail(const char *at, struct rsb_perf_branch *branch, const char **end)
{
	struct part part = take_part(&at);
	bool not_taken;
	unsigned rest = 0;

	*branch = (struct rsb_perf_branch){ .kind = RSB_KINDS };
	if (!read_event(&part, branch, &not_taken))
		return false;
	part = take_part(&at);
	if (!part_is(&part, "-") && !part_is(&part, "X"))
		return false;
	part = take_part(&at);
	if (!part_is(&part, "-") && !part_is(&part, "A"))
		return false;
	for (; part.more && rest <= REST_MAX; rest++) {
		part = take_part(&at);
		/* Cycles are always there. */
		if ((!rest && !part.length) || !read_rest(&part, branch))
			return false;
	}
	if (not_taken && branch->kind == RSB_BRANCH_TAKEN)
		branch->kind = RSB_BRANCH_NOT_TAKEN;
	*end = at;
	return rest && rest <= REST_MAX;
}

/* ---- places ---- */

/* Reads the hexadecimal number that all of the text is. */
static bool read_address(const char *text, uint64_t *address)
{
	if (strncmp(text, "0x", 2))
		return false;
	text += 2;
	if (!*text || strlen(text) > 16 || strspn(text, "0123456789abcdef") != strlen(text))
		return false;
	*address = strtoull(text, NULL, 16);
	return true;
}

/* Cuts off "(file)" and returns it; "" if there is none. */
static const char *cut_file(char *text)
{
	size_t length = strlen(text);
	unsigned depth = 0;

	if (!length || text[length - 1] != ')')
		return "";
	for (size_t i = length; i-- > 0;) {
		depth += text[i] == ')';
		depth -= text[i] == '(';
		if (!depth) {
			text[i] = '\0';
			text[length - 1] = '\0';
			return text + i + 1;
		}
	}
	return "";
}

/* Would the text from begin to end be a place? It is looked at from its end alone. */
static bool ends_a_place(const char *begin, const char *end)
{
	const char *at = end;

	if (at > begin && (at[-1] == ')' || at[-1] == ']'))
		return true;
	while (at > begin && strchr("0123456789abcdef", at[-1]))
		at--;
	return at < end && at - begin >= 2 && at[-1] == 'x' && at[-2] == '0';
}

/* Reads a place, and cuts it; the text behind is label where it is a symbol's. */
static bool read_place(char *text, struct rsb_perf_symbols *symbols, uint64_t *address,
		       const char **label, struct rsb_error *error)
{
	const char *file = cut_file(text);
	char *plus = strrchr(text, '+');
	uint64_t offset;

	*address = 0;
	*label = NULL;
	if (!strcmp(text, "[unknown]") || read_address(text, address))
		return true;
	if (!plus || plus == text || !read_address(plus + 1, &offset) || offset > UINT32_MAX)
		return rsb_error_set(error,
				     "expected an address or a symbol, as 0x401000 or "
				     "main+0x10, found '%s'",
				     text);
	*plus = '\0';
	if (!rsb_perf_symbols_find(symbols, text, file, address, error))
		return false;
	*plus = '+';
	*address += offset;
	*label = text;
	return true;
}

/* Where the place begins that ends there: names have blanks only in brackets. */
static char *place_start(char *begin, char *end)
{
	int depth = 0;

	while (end > begin) {
		char one = end[-1];

		depth += one == ')' || one == '>';
		depth -= one == '(' || one == '<';
		if (depth <= 0 && strchr(BLANKS, one))
			break;
		end--;
	}
	return end;
}

/* Reads "FROM/TO", which ends at end. */
static bool read_places(char *begin, char *end, struct rsb_perf_symbols *symbols,
			struct rsb_perf_branch *branch, struct rsb_error *error)
{
	const char *label;

	*end = '\0';
	for (char *slash = begin; slash < end; slash++) {
		if (*slash != '/' || !ends_a_place(begin, slash) || !ends_a_place(slash + 1, end))
			continue;
		*slash = '\0';
		return read_place(place_start(begin, slash), symbols, &branch->from, &branch->label,
				  error) &&
		       read_place(slash + 1, symbols, &branch->to, &label, error);
	}
	return rsb_error_set(error, "expected FROM/TO before EVENT, found '%s'", begin);
}

/* Is the word at text an entry that was cut off, or another thing that has slashes? */
static bool is_cut_entry(const char *text, bool among_entries)
{
	const char *slash;

	text += strspn(text, BLANKS);
	slash = strchr(text, '/');
	if (!slash || (size_t)(slash - text) >= strcspn(text, BLANKS))
		return false;
	if (!strncmp(text, "0x", 2))
		return strspn(text + 2, "0123456789abcdef") == (size_t)(slash - text) - 2;
	return among_entries && ends_a_place(text, slash);
}

bool rsb_perf_line_stack(char *line, struct rsb_perf_symbols *symbols,
			 struct rsb_perf_branch branches[RSB_PERF_ENTRIES_MAX], size_t *count,
			 struct rsb_error *error)
{
	char *begin = line;
	const char *end;

	*count = 0;
	for (char *slash = strchr(line, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct rsb_perf_branch branch;

		if (!read_tail(slash + 1, &branch, &end))
			continue;
		if (*count == RSB_PERF_ENTRIES_MAX)
			return rsb_error_set(error, "more than %d branches in a sample",
					     RSB_PERF_ENTRIES_MAX);
		if (!read_places(begin, slash, symbols, &branch, error))
			return false;
		branches[(*count)++] = branch;
		slash = begin = line + (end - line);
		if (!*slash)
			break;
	}
	if (is_cut_entry(begin, *count))
		return rsb_error_set(error, "expected FROM/TO/EVENT/INTX/ABORT/CYCLES, found '%s'",
				     begin + strspn(begin, BLANKS));
	return true;
}
