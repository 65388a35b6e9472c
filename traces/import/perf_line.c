/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of perf script without a branch stack: whose sample it is, callchains, and flags. */
#include "traces/import/perf_line.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define DIGITS "0123456789"
#define HEX    "0123456789abcdef"

/* What stands where the decoder lost its way. */
#define TROUBLE " instruction trace error "

/* A word of the line. */
struct word {
	const char *text;
	size_t length;
};

static struct word take_word(const char **at)
{
	struct word word = { .text = *at + strspn(*at, BLANKS) };

	word.length = strcspn(word.text, BLANKS);
	*at = word.text + word.length;
	return word;
}

static bool word_is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && !memcmp(word->text, text, word->length);
}

static bool is_all(const struct word *word, const char *of)
{
	return word->length && strspn(word->text, of) >= word->length;
}

static bool ends_in_colon(const struct word *word)
{
	return word->length > 1 && word->text[word->length - 1] == ':';
}

/* "3689" or "3688/3689", of which the second is the thread. */
static bool read_thread(const struct word *word, uint64_t *thread)
{
	const char *slash = memchr(word->text, '/', word->length);
	struct word number = *word;

	if (slash) {
		struct word process = { word->text, (size_t)(slash - word->text) };

		if (!is_all(&process, DIGITS))
			return false;
		number.text = slash + 1;
		number.length = word->length - process.length - 1;
	}
	if (!is_all(&number, DIGITS) || number.length > 19)
		return false;
	*thread = strtoull(number.text, NULL, 10);
	return true;
}

/*
 * What stands behind the thread: "[001]", "2062.02:", "cycles:", a period and then that; or
 * nothing.
 */
static bool follows_thread(const char *at)
{
	struct word word = take_word(&at);

	if (is_all(&word, DIGITS))
		word = take_word(&at);
	return !word.length || ends_in_colon(&word) ||
	       (word.text[0] == '[' && word.length > 2 && strchr(DIGITS, word.text[1]));
}

/* "... tid 3689 ip 0x...", as the decoder's errors have it. */
static bool names_thread(const char *line, uint64_t *thread)
{
	const char *at = strstr(line, TROUBLE) ? strstr(line, " tid ") : NULL;
	struct word word;

	if (!at)
		return false;
	at += strlen(" tid ");
	word = take_word(&at);
	return is_all(&word, DIGITS) && read_thread(&word, thread);
}

/* Is this a line that begins with the thread, as where the command's name is not printed? */
static bool starts_with_thread(const char *line, uint64_t *thread)
{
	struct word word = take_word(&line), next = take_word(&line), after = take_word(&line);

	/* An address alone is no thread, but what stands before an address and a branch is. */
	if (!memchr(word.text, '/', word.length) && !ends_in_colon(&next) &&
	    (!is_all(&next, HEX) || after.length < 2 || memcmp(after.text, "0x", 2)))
		return false;
	return read_thread(&word, thread);
}

bool rsb_perf_line_thread(const char *line, uint64_t *thread)
{
	struct word word;
	uint64_t number;

	if (names_thread(line, thread) || starts_with_thread(line, thread))
		return true;
	word = take_word(&line); /* of the command's name */
	while (word.length) {
		word = take_word(&line);
		if (word.length && read_thread(&word, &number) && follows_thread(line)) {
			*thread = number;
			return true;
		}
		/* A time is behind what is looked for. */
		if (ends_in_colon(&word))
			return false;
	}
	return false;
}

bool rsb_perf_line_chain(const char *line, uint64_t *address)
{
	const char *at = line;
	struct word word = take_word(&at);

	if (word.length < 4 || word.length > 16 || !is_all(&word, HEX) || strstr(at, "(inlined)"))
		return false;
	*address = strtoull(word.text, NULL, 16);
	return true;
}

/* ---- flags ---- */

static const struct {
	const char *words;
	uint8_t kind;
} kinds[] = {
	{ "call", RSB_CALL },       { "return", RSB_RETURN },    { "jcc", RSB_BRANCH_TAKEN },
	{ "jmp", RSB_JUMP },        { "int", RSB_INTERRUPT },    { "iret", RSB_IRET },
	{ "syscall", RSB_SYSCALL }, { "sysret", RSB_SYSRET },    { "async", RSB_INTERRUPT },
	{ "hw", RSB_INTERRUPT },    { "vmexit", RSB_INTERRUPT }, { "vmentry", RSB_IRET },
};

/* Flags that have no name together are printed as letters. */
static uint8_t kind_of_letters(const struct word *word)
{
	bool calls = memchr(word->text, 'c', word->length);
	bool returns = memchr(word->text, 'r', word->length);

	if (memchr(word->text, 'i', word->length) || memchr(word->text, 'y', word->length))
		return returns ? RSB_IRET : RSB_INTERRUPT;
	if (memchr(word->text, 's', word->length))
		return returns ? RSB_SYSRET : RSB_SYSCALL;
	if (calls || returns)
		return calls ? RSB_CALL : RSB_RETURN;
	return memchr(word->text, 'o', word->length) ? RSB_BRANCH_TAKEN : RSB_JUMP;
}

/* The event that stands behind a word: "jcc/miss,not_taken/". */
static void read_events(struct word *word, struct rsb_perf_branch *branch, bool *not_taken)
{
	const char *slash = memchr(word->text, '/', word->length);
	struct word event = { .text = slash };

	if (!slash)
		return;
	while (event.text && event.text < word->text + word->length) {
		event.text++;
		event.length = strcspn(event.text, ",/" BLANKS);
		if (word_is(&event, "miss"))
			branch->verdict = RSB_VERDICT_MISS;
		*not_taken |= word_is(&event, "not_taken");
		event.text += event.length;
	}
	word->length = (size_t)(slash - word->text);
}

/* Reads the word for a kind; false: it is none, and *at stays. */
static bool read_kind(const char **at, struct rsb_perf_branch *branch)
{
	const char *after = *at;
	struct word word = take_word(&after);
	bool not_taken = false;

	read_events(&word, branch, &not_taken);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (word_is(&word, kinds[i].words))
			branch->kind = kinds[i].kind;
	if (word_is(&word, "hw"))
		take_word(&after); /* "hw int" */
	if (branch->kind == RSB_KINDS && word.length > 1 && word.text[0] == 'b' &&
	    is_all(&word, "bcrosyixghDt"))
		branch->kind = kind_of_letters(&word);
	if (branch->kind == RSB_KINDS)
		return false;
	if (not_taken && branch->kind == RSB_BRANCH_TAKEN)
		branch->kind = RSB_BRANCH_NOT_TAKEN;
	*at = after;
	return true;
}

/* Reads all words of flags, as "tr end  syscall" and "call     (x)". */
static enum rsb_perf_flagged read_flags(const char **at, struct rsb_perf_branch *branch)
{
	const char *after = *at;
	struct word word = take_word(&after);
	enum rsb_perf_flagged flagged = RSB_PERF_BRANCH;

	if (word_is(&word, "tr")) {
		word = take_word(&after);
		if (!word_is(&word, "strt") && !word_is(&word, "end"))
			return RSB_PERF_NOT_FLAGGED;
		flagged = word_is(&word, "end") ? RSB_PERF_STOP : RSB_PERF_START;
		*at = after;
	}
	if (!read_kind(at, branch) && flagged == RSB_PERF_BRANCH)
		return RSB_PERF_NOT_FLAGGED;
	after = *at;
	word = take_word(&after);
	if (word.length > 2 && word.text[0] == '(' && is_all(&word, "(xDt)"))
		*at = after;
	return flagged;
}

/* Behind the last word that ends in a colon, and a period; or else behind the thread. */
static const char *flags_start(const char *line, const char *arrow)
{
	const char *start = line, *at = line, *after;
	struct word word;
	uint64_t thread;

	while (at < arrow) {
		word = take_word(&at);
		if (ends_in_colon(&word))
			start = at;
	}
	if (start != line) {
		after = start;
		word = take_word(&after);
		return is_all(&word, DIGITS) ? after : start;
	}
	for (at = line; at < arrow;) {
		word = take_word(&at);
		if (read_thread(&word, &thread))
			start = at;
		else if (start != line)
			return word.length && word.text[0] == '[' ? at : start;
	}
	return line;
}

/*
 * Reads the next word if it is an address; 0 is one that is not known, other short words are
 * names.
 */
static bool read_address(const char **text, uint64_t *address)
{
	struct word word = take_word(text);

	if (!is_all(&word, HEX) || word.length > 16 || (word.length < 4 && !word_is(&word, "0")))
		return false;
	*address = strtoull(word.text, NULL, 16);
	return true;
}

/* The length that is printed as such, or that the bytes have which are printed. */
static uint8_t read_length(const char *rest)
{
	const char *at = strstr(rest, " ilen: ");
	uint8_t count = 0;

	if (at)
		return (uint8_t)strtoul(at + strlen(" ilen: "), NULL, 10);
	at = strstr(rest, " insn: ");
	if (!at)
		return 0;
	at += strlen(" insn: ");
	for (struct word word = take_word(&at);
	     word.length == 2 && is_all(&word, HEX) && count < 15; word = take_word(&at))
		count++;
	return count;
}

/* Cuts out the symbol in front of the arrow; NULL: there is none. */
static const char *cut_label(char *text, char *arrow)
{
	char *label = text + strspn(text, BLANKS), *end = strstr(label, " (");

	*(end && end < arrow ? end : arrow) = '\0';
	return *label && *label != '[' ? label : NULL;
}

enum rsb_perf_flagged rsb_perf_line_flagged(char *line, struct rsb_perf_branch *branch)
{
	char *arrow = strstr(line, " => ");
	const char *start = flags_start(line, arrow ? arrow : line + strlen(line));
	const char *at = start, *target;
	enum rsb_perf_flagged flagged;

	*branch = (struct rsb_perf_branch){ .kind = RSB_KINDS };
	if (strstr(line, TROUBLE))
		return RSB_PERF_LOST;
	flagged = read_flags(&at, branch);
	if (flagged == RSB_PERF_NOT_FLAGGED)
		return flagged;
	if (!arrow)
		return start == line ? RSB_PERF_NOT_FLAGGED : RSB_PERF_NO_ADDRESS;
	target = arrow + strlen(" => ");
	/* A name that is indented may stand in front. */
	while (!read_address(&at, &branch->from))
		if (at >= arrow)
			return RSB_PERF_NO_ADDRESS;
	if (!read_address(&target, &branch->to))
		return RSB_PERF_NO_ADDRESS;
	branch->length = read_length(target);
	branch->label = cut_label(line + (at - line), arrow);
	return flagged;
}
