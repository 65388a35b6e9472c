/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe found, for people. */
#include "sim/report/probe.h"

#include "sim/report/wrap.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void write_experiments(FILE *out, const struct rsb_probe *probe)
{
	fprintf(out,
		"\nmispredicted returns; what the experiments, a and b are: rsbsim-native(1)\n");
	fprintf(out, "%-10s %4s %4s %9s %16s %9s\n", "experiment", "a", "b", "measured",
		"quartiles", "simulated");
	for (size_t i = 0; i < probe->count; i++) {
		const struct rsb_probed *probed = &probe->probed[i];
		char range[64];

		snprintf(range, sizeof(range), "%.2f to %.2f", probed->measured.low,
			 probed->measured.high);
		fprintf(out, "%-10s %4u %4u %9.2f %16s %9.2f\n",
			rsb_experiment_name(probed->of.kind), probed->of.a, probed->of.b,
			probed->measured.median, range, probed->simulated);
	}
}

static void write_candidates(FILE *out, const struct rsb_probe *probe)
{
	fprintf(out, "\nthe best of each kind, and how far it is off, in half misses and tenths\n");
	for (size_t i = 0; i < probe->candidate_count; i++) {
		const struct rsb_candidate *candidate = &probe->candidates[i];

		fprintf(out, "%8.2f  %s of %u and %u in flight, overflow %s, underflow %s\n",
			candidate->residual, candidate->model, candidate->depth,
			candidate->in_flight, candidate->overflow, candidate->underflow);
	}
}

/* Without who says so, which a profile needs. */
static const char *skip_origin(const char *source)
{
	static const char origin[] = "rsbsim probe: ";

	return strncmp(source, origin, strlen(origin)) ? source : source + strlen(origin);
}

static void write_fields(FILE *out, const struct rsb_probe *probe, size_t columns)
{
	char line[1024];

	fputc('\n', out);
	for (size_t i = 0; i < probe->field_count; i++) {
		const struct rsb_probe_field *field = &probe->fields[i];

		snprintf(line, sizeof(line), "%s %s: %s", field->name, field->value,
			 skip_origin(field->source));
		rsb_wrap_write(out, line, 0, 2, columns);
	}
	for (size_t i = 0; i < probe->note_count; i++)
		rsb_wrap_write(out, probe->notes[i], 0, 2, columns);
}

bool rsb_probe_text(FILE *out, const struct rsb_probe *probe, bool all, size_t columns,
		    struct rsb_error *error)
{
	const struct rsb_host *host = &probe->host;

	fprintf(out, "%s (%s family %u model %u%s)\n", host->name, host->vendor, host->family,
		host->model, host->hypervisor ? ", under a hypervisor" : "");
	write_fields(out, probe, columns);
	write_candidates(out, probe);
	if (all)
		write_experiments(out, probe);
	fprintf(out, "\ndropped: %zu of %zu samples\n", probe->dropped, probe->samples);
	if (probe->noisy)
		fprintf(out, "the machine is too noisy: none of this is to be relied on\n");
	return !ferror(out) || rsb_error_set(error, "%s", strerror(errno));
}
