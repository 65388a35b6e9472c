/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of this machine in words. */
#include "sim/report/native_words.h"

#include <math.h>
#include <stdlib.h>

const char *rsb_native_number(char out[RSB_NATIVE_WORD], double value, int decimals)
{
	if (isnan(value))
		return "-";
	snprintf(out, RSB_NUMBER_SIZE, "%.*f", decimals, value);
	return out;
}

const char *rsb_native_range(char out[RSB_NATIVE_WORD], double low, double high)
{
	if (isnan(low) || isnan(high))
		return "-";
	snprintf(out, RSB_NATIVE_WORD, "%.2f to %.2f", low, high);
	return out;
}

const char *rsb_native_worst(char *out, size_t size, const struct rsb_comparison *comparison,
			     const struct rsb_agreement *agreement)
{
	if (!agreement->count)
		return "-";
	snprintf(out, size, "%.2f (%s)", agreement->worst_error,
		 comparison->rows[agreement->worst].layout);
	return out;
}

const char *rsb_native_order(char out[RSB_NATIVE_WORD], const struct rsb_agreement *agreement)
{
	snprintf(out, RSB_NATIVE_WORD, "%zu of %zu", agreement->kept, agreement->pairs);
	return out;
}

void rsb_native_host(char *out, size_t size, const struct rsb_native *native)
{
	const struct rsb_host *host = &native->host;

	snprintf(out, size, "%s (%s family %u model %u%s), simulated as %s%s",
		 *host->name ? host->name : "this processor", host->vendor, host->family,
		 host->model, host->hypervisor ? ", under a hypervisor" : "", native->cpu,
		 native->own ? ", its own profile by cpuid" : "");
}

void rsb_native_effort(char *out, size_t size, const struct rsb_native *native)
{
	snprintf(out, size, "%u visit%s of %u samples each; %s of the processors' time was stolen",
		 native->visits, native->visits == 1 ? "" : "s", native->samples,
		 isnan(native->stolen)  ? "an unknown part"
		 : native->stolen < .01 ? "less than a hundredth"
		 : native->stolen < .2  ? "less than a fifth"
					: "more than a fifth");
}

struct rsb_compared *rsb_native_compared(const struct rsb_comparison *comparison)
{
	struct rsb_compared *compared = calloc(comparison->count + 1, sizeof(*compared));

	for (size_t i = 0; compared && i < comparison->count; i++)
		compared[i] = (struct rsb_compared){ comparison->rows[i].simulated,
						     comparison->rows[i].misses };
	return compared;
}

bool rsb_native_counted(const struct rsb_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->rows[i].counted)
			return true;
	return false;
}

bool rsb_native_others(const struct rsb_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++)
		if (!comparison->rows[i].twin && !comparison->rows[i].refused)
			return true;
	return false;
}
