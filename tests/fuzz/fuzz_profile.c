/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes CPU profiles; of those that are good, makes the model and reads all that they say. */
#include "models/profile.h"
#include "tests/fuzz/file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every text to its end. */
static size_t read_facts(const struct rsb_profile *profile)
{
	size_t count, total = 0;
	const struct rsb_fact *facts = rsb_profile_facts(profile, &count);

	for (size_t i = 0; i < count; i++) {
		total += strlen(facts[i].name) + strlen(facts[i].value) + strlen(facts[i].source);
		total += facts[i].assumed ? strlen(facts[i].assumed) : 0;
		for (const char *const *other = facts[i].others; *other; other++)
			total += strlen(*other);
	}
	for (const char *const *note = rsb_profile_notes(profile); *note; note++)
		total += strlen(*note);
	return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	FILE *file = fuzz_file(data, size, path);
	struct rsb_profile *profile, *other;
	struct rsb_error error;
	double low, high;

	if (!file)
		return 0;
	profile = rsb_profile_load(path, &error);
	if (profile) {
		rsb_model_free(rsb_profile_model(profile, &error));
		other = rsb_profile_vary(profile, "depth", "16", &error);
		rsb_profile_free(other);
		read_facts(profile);
		rsb_profile_penalty(profile, &low, &high);
		rsb_profile_known(profile, NULL);
		rsb_profile_may_return_by(profile, "srso");
		rsb_profile_free(profile);
	}
	fclose(file);
	return 0;
}
