/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands below the tables: what the figures are, how steady they are, and the notes. */
#include "sim/report/text.h"

#include "sim/report/remarks.h"
#include "sim/report/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rsb_shown rsb_text_shown(struct rsb_range range)
{
	struct rsb_shown shown = { .indirect = false };

	for (size_t i = 0; i < range.count; i++) {
		const struct rsb_per_call *p = &range.scores[i]->per_call;

		shown.return_thunk |= strcmp(range.scores[i]->return_thunk, "none") != 0;
		shown.balance_layout |= p->balance_layout != p->balance;
		shown.indirect |= p->misses_indirect > 0;
		shown.cr3 |= p->cr3_writes > 0;
		shown.cr3_cycles |= p->cr3_cycles_high > 0;
		shown.flushes |= p->tlb_flushes > 0;
		shown.time |= range.scores[i]->timed;
		shown.intended |= p->intended_inside > 0 || p->intended_callers > 0;
	}
	return shown;
}

/* A remark and whom it is about. */
static bool write_remark(const struct rsb_text *text, const char *label,
			 const struct rsb_remarks *remarks, size_t index, const char *cpu)
{
	const char *said = rsb_remark_skip_cpu(rsb_remarks_text(remarks, index), cpu);
	char *about = rsb_remarks_about(remarks, index), *line = NULL;
	size_t indent = strlen(label), size;

	if (about) {
		size = strlen(said) + strlen(about) + sizeof(" []");
		line = malloc(size);
	}
	if (line) {
		snprintf(line, size, *about ? "%s [%s]" : "%s", said, about);
		fputs(label, text->out);
		rsb_wrap_write(text->out, line, indent, indent, text->columns);
	}
	free(about);
	free(line);
	return line != NULL;
}

static void describe_steady(char *out, size_t size, const struct rsb_score *score)
{
	const char *name = rsb_steady_name(score->steady);

	if (score->steady == RSB_STEADY_NO)
		snprintf(out, size, "%s, averages are over %" PRIu64 " round%s", name,
			 score->averaged, score->averaged == 1 ? "" : "s");
	else if (score->period == 1)
		snprintf(out, size, "%s, every round is alike", name);
	else
		snprintf(out, size, "%s, repeats every %" PRIu64 " rounds", name, score->period);
}

static bool add_steady(struct rsb_remarks *remarks, struct rsb_range all)
{
	for (size_t i = 0; i < all.count; i++) {
		char line[128];

		describe_steady(line, sizeof(line), all.scores[i]);
		if (!rsb_remarks_add(remarks, line, i))
			return false;
	}
	return true;
}

static bool write_steady(const struct rsb_text *text, struct rsb_range all)
{
	struct rsb_remarks *remarks = rsb_remarks_new(all.scores, all.count);
	bool written = remarks && add_steady(remarks, all);

	for (size_t i = 0; written && i < rsb_remarks_count(remarks); i++)
		written = write_remark(text, "steady: ", remarks, i, NULL);
	rsb_remarks_free(remarks);
	return written;
}

static bool has_note(const struct rsb_score *score, const char *note)
{
	for (size_t i = 0; i < score->note_count; i++)
		if (!strcmp(score->notes[i], note))
			return true;
	return false;
}

/* Is this said of more than one CPU? Only then is it not a CPU's own. */
static bool is_shared(struct rsb_range all, const char *note)
{
	const char *cpu = NULL;

	for (size_t i = 0; i < all.count; i++) {
		if (!has_note(all.scores[i], note))
			continue;
		if (cpu && strcmp(all.scores[i]->cpu, cpu) != 0)
			return true;
		cpu = all.scores[i]->cpu;
	}
	return false;
}

static bool is_idle(const char *note)
{
	return !strncmp(note, RSB_NOTE_IDLE, strlen(RSB_NOTE_IDLE));
}

/* Gathers the fields that had no effect, of which one line tells. */
struct idle {
	char fields[512];
	size_t length;
};

/*
 * That a field had no effect on some of the scores says nothing of the comparison, in which others
 * needed it. (Every score has the note in the other formats.)
 */
static bool gather_idle(struct idle *idle, const struct rsb_remarks *remarks, size_t index)
{
	const char *field = rsb_remarks_text(remarks, index) + strlen(RSB_NOTE_IDLE);
	char *about = rsb_remarks_about(remarks, index);
	size_t room = sizeof(idle->fields) - idle->length;

	if (!about)
		return false;
	if (!*about && strlen(field) + sizeof(", ") <= room)
		idle->length += (size_t)snprintf(idle->fields + idle->length, room, "%s%s",
						 idle->length ? ", " : "", field);
	free(about);
	return true;
}

static void write_idle(const struct rsb_text *text, const struct idle *idle)
{
	static const char label[] = "note: ";
	char line[sizeof(RSB_NOTE_IDLE) + sizeof(idle->fields)];

	if (!idle->length)
		return;
	snprintf(line, sizeof(line), RSB_NOTE_IDLE "%s", idle->fields);
	fputs(label, text->out);
	rsb_wrap_write(text->out, line, strlen(label), strlen(label), text->columns);
}

/* Writes the notes of some scores, shared ones or a CPU's own. */
static bool write_notes(const struct rsb_text *text, struct rsb_range all, struct rsb_range some,
			bool shared)
{
	struct rsb_remarks *remarks = rsb_remarks_new(some.scores, some.count);
	bool written = remarks && rsb_remarks_add_notes(remarks);
	struct idle idle = { .length = 0 };

	for (size_t i = 0; written && i < rsb_remarks_count(remarks); i++) {
		const char *note = rsb_remarks_text(remarks, i);

		if (is_shared(all, note) != shared)
			continue;
		written = is_idle(note) ? gather_idle(&idle, remarks, i)
					: write_remark(text, "note: ", remarks, i,
						       shared ? NULL : some.scores[0]->cpu);
	}
	write_idle(text, &idle);
	rsb_remarks_free(remarks);
	return written;
}

static void write_legend(const struct rsb_text *text, struct rsb_range all)
{
	rsb_wrap_write(text->out,
		       "All figures are per call of the traced function. inside, callers: returns "
		       "that miss in the layout and in its callers; cycles: what they cost.",
		       0, 0, text->columns);
	if (rsb_text_shown(all).intended)
		rsb_wrap_write(text->out, "In brackets: misses that a mitigation wants.", 0, 0,
			       text->columns);
	if (rsb_text_shown(all).indirect)
		rsb_wrap_write(text->out, "indirect: indirect jumps and calls that miss.", 0, 0,
			       text->columns);
	if (rsb_text_shown(all).cr3)
		rsb_wrap_write(text->out, "CR3: its writes.", 0, 0, text->columns);
	if (rsb_text_shown(all).cr3_cycles)
		rsb_wrap_write(text->out,
			       "CR3 cycles: what these cost, without the refills of the TLB.", 0, 0,
			       text->columns);
	if (rsb_text_shown(all).flushes)
		rsb_wrap_write(text->out,
			       "flushes: those of them that empty the TLB; pages: touched after "
			       "one, each a refill.",
			       0, 0, text->columns);
	if (rsb_text_shown(all).time)
		rsb_wrap_write(
			text->out,
			"ns, M calls/s: the sum of the terms at that clock, and nothing else "
			"that a CPU does. place: of equal ones (=) none can be said to be "
			"faster.",
			0, 0, text->columns);
	if (rsb_text_shown(all).balance_layout)
		rsb_wrap_write(text->out,
			       "own balance: the balance without what the mitigations add.", 0, 0,
			       text->columns);
}

bool rsb_text_notes(const struct rsb_text *text, struct rsb_range all)
{
	write_legend(text, all);
	return write_steady(text, all) && write_notes(text, all, all, true);
}

bool rsb_text_many_notes(const struct rsb_text *text, struct rsb_range all)
{
	struct rsb_remarks *remarks = rsb_remarks_new(all.scores, all.count);
	bool written = remarks && rsb_remarks_add_plain_notes(remarks);
	struct idle idle = { .length = 0 };

	write_legend(text, all);
	written = written && write_steady(text, all);
	for (size_t i = 0; written && i < rsb_remarks_count(remarks); i++)
		written = is_idle(rsb_remarks_text(remarks, i))
				  ? gather_idle(&idle, remarks, i)
				  : write_remark(text, "note: ", remarks, i, NULL);
	write_idle(text, &idle);
	rsb_remarks_free(remarks);
	return written;
}

bool rsb_text_cpu_notes(const struct rsb_text *text, struct rsb_range all, struct rsb_range cpu)
{
	return write_notes(text, all, cpu, false);
}
