/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes measured base times, and looks one up. */
#include "sim/score/bases.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct rsb_bases *bases)
{
	const struct rsb_scenario bench = RSB_SCENARIO_BENCH;
	const struct rsb_bases_key key = { "plain-call", "none", rsb_bases_cpu(bases), &bench };
	struct rsb_interval cycles = { 0, 0 };

	if (rsb_bases_find(bases, &key, &cycles) && !(cycles.low <= cycles.high))
		__builtin_trap();
	rsb_bases_indirect(bases);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	FILE *file = fuzz_file(data, size, path);
	struct rsb_bases *bases;
	struct rsb_error error;

	if (!file)
		return 0;
	bases = rsb_bases_load(path, &error);
	if (bases)
		use(bases);
	rsb_bases_free(bases);
	fclose(file);
	return 0;
}
