/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe: the fields of a profile, each with its evidence. A field is measured if an experiment
 * tells it apart from its other values, and unknown, with the reason, if none does.
 */
#include "sim/native/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAT  0.6 /* misses: fewer are none */
#define APART 1.1 /* times the residual of the best: another value is told apart from there on */

static struct rsb_probe_field *add(struct rsb_probe *probe, const char *name, const char *strength)
{
	struct rsb_probe_field *field = &probe->fields[probe->field_count++];

	*field = (struct rsb_probe_field){ .name = name, .strength = strength };
	return field;
}

static void say(struct rsb_probe_field *field, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct rsb_probe_field *field, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(field->source, sizeof(field->source), format, list);
	va_end(list);
}

static void note(struct rsb_probe *probe, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void note(struct rsb_probe *probe, const char *format, ...)
{
	va_list list;

	if (probe->note_count == RSB_PROBE_NOTES)
		return;
	va_start(list, format);
	vsnprintf(probe->notes[probe->note_count++], sizeof(probe->notes[0]), format, list);
	va_end(list);
}

static void set_value(struct rsb_probe_field *field, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void set_value(struct rsb_probe_field *field, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(field->value, sizeof(field->value), format, list);
	va_end(list);
}

/* A field that is not told; assumed is what is used. */
static void leave(struct rsb_probe_field *field, const char *assumed, const char *why)
{
	field->strength = "assumed";
	snprintf(field->value, sizeof(field->value), "null");
	snprintf(field->assumed, sizeof(field->assumed), "%s", assumed);
	snprintf(field->source, sizeof(field->source), "%s", why);
}

/* The most calls of a kind, the runner's counted, that all return as predicted. */
static unsigned find_knee(const struct rsb_probe *probe, enum rsb_experiment_kind kind, unsigned b)
{
	unsigned knee = 0;

	for (size_t i = 0; i < probe->count; i++) {
		const struct rsb_probed *probed = &probe->probed[i];

		if (probed->of.kind != kind || probed->of.b != b)
			continue;
		if (!(probed->measured.median < FLAT))
			break;
		knee = probed->of.a + 1;
	}
	return knee;
}

/* Misses to a tenth, none of which is below nothing by less than that. */
static double tell(double misses)
{
	return misses < 0 && misses > -0.05 ? 0 : misses;
}

static void conclude_depth(struct rsb_probe *probe)
{
	struct rsb_probe_field *field = add(probe, "depth", "measured");
	const struct rsb_candidate *best = &probe->candidates[0];
	unsigned knee = find_knee(probe, RSB_EXPERIMENT_CHAIN, 128);
	unsigned settled = find_knee(probe, RSB_EXPERIMENT_LONG, 2048);
	char random[80] = "", others[64] = "no other depth is";

	if (!isnan(probe->penalty.random_depth))
		snprintf(random, sizeof(random),
			 "; recursion by random call sites begins to miss at %.0f",
			 probe->penalty.random_depth);
	if (probe->depth_from < probe->depth_to)
		snprintf(others, sizeof(others), "depths of %u to %u are", probe->depth_from,
			 probe->depth_to);
	set_value(field, "%u", best->depth);
	say(field,
	    "rsbsim probe: the nearest to all experiments; %u calls in a row return without a miss, "
	    "%u with 2048 instructions at their end; %s as near, to a tenth%s",
	    knee, settled, others, random);
	if (!best->in_flight && abs((int)knee - (int)settled) > 2)
		note(probe,
		     "No one depth explains all: %u calls in a row return without a miss, but with "
		     "2048 instructions at their end only %u do.",
		     knee, settled);
}

static void conclude_in_flight(struct rsb_probe *probe)
{
	struct rsb_probe_field *field = add(probe, "in_flight", "measured");
	const struct rsb_candidate *best = &probe->candidates[0];

	set_value(field, "%u", best->in_flight);
	if (best->in_flight)
		say(field,
		    "rsbsim probe: explains the measurements best: %.2f off, in half misses and "
		    "tenths, against %.2f with none in flight",
		    best->residual, best->without);
	else
		say(field,
		    "rsbsim probe: calls in flight explain no more than %.2f off, in half "
		    "misses and tenths, which none do",
		    best->without);
}

/* The best candidate that has another word there; NULL: none. */
static const struct rsb_candidate *find_other(const struct rsb_probe *probe, bool overflow)
{
	const struct rsb_candidate *best = &probe->candidates[0];

	for (size_t i = 1; i < probe->candidate_count; i++) {
		const struct rsb_candidate *other = &probe->candidates[i];

		if (overflow ? strcmp(other->overflow, best->overflow) != 0
			     : strcmp(other->underflow, best->underflow) != 0)
			return other;
	}
	return NULL;
}

static void conclude_word(struct rsb_probe *probe, const char *name, bool overflow)
{
	struct rsb_probe_field *field = add(probe, name, "measured");
	const struct rsb_candidate *best = &probe->candidates[0];
	const struct rsb_candidate *other = find_other(probe, overflow);
	const char *word = overflow ? best->overflow : best->underflow;
	const char *second = overflow ? other->overflow : other->underflow;

	if (other->residual < APART * best->residual) {
		char quoted[32];

		snprintf(quoted, sizeof(quoted), "\"%s\"", word);
		leave(field, quoted, "");
		say(field, "rsbsim probe: %s explains the measurements as well (%.2f) as %s (%.2f)",
		    second, other->residual, word, best->residual);
		return;
	}
	set_value(field, "\"%s\"", word);
	say(field,
	    "rsbsim probe: explains the measurements best: %.2f off, in half misses and tenths, "
	    "against %.2f of %s",
	    best->residual, other->residual, second);
}

static void conclude_zero_call(struct rsb_probe *probe)
{
	struct rsb_probe_field *field = add(probe, "zero_call_pushes", "measured");
	double one = rsb_probe_find(probe, RSB_EXPERIMENT_ZERO, 1, 0);
	double four = rsb_probe_find(probe, RSB_EXPERIMENT_ZERO, 4, 0);

	if (one < 2 && four < 2)
		set_value(field, "false");
	else if (one > 5 && four > 5)
		set_value(field, "true");
	else
		leave(field, "false", "");
	say(field,
	    "rsbsim probe: below 8 calls, one call +0 and pop brings %.1f misses, four %.1f: 9 "
	    "if they push",
	    tell(one), tell(four));
}

static void conclude_spacing(struct rsb_probe *probe)
{
	struct rsb_probe_field *field = add(probe, "spacing", "measured");
	static const unsigned spacings[] = { 64, 32, 16 };
	unsigned least = 0;
	double misses[3];

	for (size_t i = 0; i < 3; i++) {
		misses[i] = rsb_probe_find(probe, RSB_EXPERIMENT_CHAIN, 8, spacings[i]);
		if (misses[i] > 2 && !least)
			least = spacings[i] + 1;
	}
	set_value(field, "%u", least);
	say(field, "rsbsim probe: 8 calls 64, 32 and 16 bytes apart miss %.1f, %.1f and %.1f times",
	    tell(misses[0]), tell(misses[1]), tell(misses[2]));
}

static void conclude_penalty(struct rsb_probe *probe)
{
	struct rsb_probe_field *field = add(probe, "penalty", "measured");
	const struct rsb_penalty *penalty = &probe->penalty;
	size_t used = 0;

	set_value(field, "[ %.0f, %.0f ]", floor(penalty->low), ceil(penalty->high));
	used = (size_t)snprintf(field->source, sizeof(field->source),
				"rsbsim probe: the quartiles of all methods; medians:");
	for (int i = 0; i < RSB_PENALTY_METHODS; i++) {
		const struct rsb_penalty_method *method = &penalty->methods[i];

		if (!isnan(method->cycles.median) && used < sizeof(field->source))
			used += (size_t)snprintf(field->source + used, sizeof(field->source) - used,
						 " %s %.1f", method->name, method->cycles.median);
	}
}

/* What an experiment that runs alone cannot tell. */
static void conclude_rest(struct rsb_probe *probe)
{
	leave(add(probe, "depth_smt", ""), "0",
	      "cannot be told: nothing is known of what the core's other thread does");
	leave(add(probe, "repair", ""), "\"pointer\"",
	      "cannot be told: no experiment here takes a wrong path on purpose");
	leave(add(probe, "ibpb_clears", ""), "false",
	      "cannot be told: a process cannot issue the barrier");
	leave(add(probe, "indirect", ""), "\"path\"",
	      "cannot be told: no experiment here is about indirect jumps");
}

static void conclude_notes(struct rsb_probe *probe)
{
	double flat = rsb_probe_find(probe, RSB_EXPERIMENT_FLAT, 24, 0);
	double one = rsb_probe_find(probe, RSB_EXPERIMENT_SYSCALL, 1, 0);
	double eight = rsb_probe_find(probe, RSB_EXPERIMENT_SYSCALL, 8, 0);
	double pushed = rsb_probe_find(probe, RSB_EXPERIMENT_RETURNS, 1, 0);

	note(probe,
	     "Returns of an empty stack %s on the indirect predictor: 24 push and ret to "
	     "constant targets, without a call for them, miss %.1f times.",
	     flat < 12 ? "fall back" : "do not fall back", flat);
	note(probe,
	     "A system call (getppid) %s the return stack here: below 8 callers it brings %.1f "
	     "misses, below one %.1f.",
	     eight - one < 3 ? "keeps" : "empties", tell(eight), tell(one));
	note(probe, "One push and ret, where a jump would do, brings %.1f misses below 8 callers.",
	     pushed);
	if (probe->host.hypervisor)
		note(probe,
		     "Measured under a hypervisor, which may have mitigations on that change "
		     "what a processor predicts.");
}

void rsb_probe_conclude(struct rsb_probe *probe)
{
	probe->field_count = probe->note_count = 0;
	conclude_depth(probe);
	conclude_in_flight(probe);
	conclude_word(probe, "overflow", true);
	conclude_word(probe, "underflow", false);
	conclude_zero_call(probe);
	conclude_spacing(probe);
	conclude_penalty(probe);
	conclude_rest(probe);
	conclude_notes(probe);
}
