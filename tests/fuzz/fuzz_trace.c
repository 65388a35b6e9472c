/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes trace files: as a trace from elsewhere, as a recorded layout, as text. Checksums are made
 * right first, for what is behind them to be reached.
 */
#include "sim/score/run_file.h"
#include "sim/score/score.h"
#include "sim/score/trace_score.h"
#include "traces/file_chunk.h"
#include "traces/summary.h"
#include "traces/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct rsb_profile *profile;

static void summarize(struct rsb_trace_reader *reader)
{
	struct rsb_trace_summary *summary = malloc(sizeof(*summary));
	struct rsb_error error;

	if (summary)
		rsb_trace_summarize(reader, summary, &error);
	free(summary);
}

static void write_text(struct rsb_trace_reader *reader)
{
	const struct rsb_text_range range = { 3, 1000 };
	FILE *out = fopen("/dev/null", "w");
	struct rsb_error error;

	if (out) {
		rsb_trace_text(reader, range, out, &error);
		fclose(out);
	}
}

static void score(struct rsb_trace_reader *reader)
{
	enum rsb_trace_got got;
	struct rsb_error error;

	rsb_trace_scores_free(rsb_trace_scores_new(reader, &profile, 1, &got, &error));
}

static void score_run(struct rsb_trace_reader *reader)
{
	struct rsb_score_options options = { .rounds = 1000 };
	struct rsb_run_about about;
	enum rsb_trace_got got;
	struct rsb_error error;
	struct rsb_run *run = rsb_run_load(reader, &about, &got, &error);

	if (run)
		rsb_score_free(rsb_score_new(run, about.layout, profile, &about.scenario, &options,
					     &error));
	rsb_run_free(run);
}

/* Makes the checksum of each chunk right. */
static void repair(uint8_t *data, size_t size)
{
	size_t at = RSB_FILE_START;

	while (at <= size && size - at >= RSB_CHUNK_HEADER) {
		size_t stored = rsb_get_u32(data + at + 12);
		uint32_t sum;

		if (stored > size - at - RSB_CHUNK_HEADER)
			return;
		sum = rsb_chunk_sum(data + at, data + at + RSB_CHUNK_HEADER, stored);
		for (int i = 0; i < 4; i++)
			data[at + 16 + i] = (uint8_t)(sum >> 8 * i);
		at += RSB_CHUNK_HEADER + stored;
	}
}

static void (*const uses[])(struct rsb_trace_reader *reader) = { summarize, write_text, score,
								 score_run };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct rsb_error error;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	repair(copy, size);
	if (!profile)
		profile = rsb_profile_load("intel-haswell", &error);
	for (size_t i = 0; profile && i < sizeof(uses) / sizeof(*uses); i++) {
		struct rsb_input *input = rsb_input_memory("fuzz", copy, size, &error);
		struct rsb_trace_reader *reader = NULL;

		if (input)
			reader = rsb_trace_reader_new(input, &error);
		if (reader)
			uses[i](reader);
		rsb_trace_reader_free(reader);
		rsb_input_free(input);
	}
	free(copy);
	return 0;
}
