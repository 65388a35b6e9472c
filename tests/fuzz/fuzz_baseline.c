/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes baselines, and writes those that are good again. */
#include "sim/check/baseline.h"
#include "tests/fuzz/file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A check that found nothing: each entry of the baseline stays. */
static void use(const struct rsb_baseline *baseline)
{
	struct rsb_check *check = rsb_check_new();
	FILE *out = fopen("/dev/null", "w");
	struct rsb_error error;

	if (check && out) {
		rsb_baseline_compare(baseline, check, "2027-01-31", &error);
		rsb_baseline_write(baseline, check, out, &error);
	}
	if (out)
		fclose(out);
	rsb_check_free(check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	FILE *file = fuzz_file(data, size, path);
	struct rsb_baseline *baseline;
	struct rsb_error error;

	if (!file)
		return 0;
	baseline = rsb_baseline_load(path, &error);
	if (baseline)
		use(baseline);
	rsb_baseline_free(baseline);
	fclose(file);
	return 0;
}
