/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole run on this machine. */
#include "sim/native/native.h"

#include <math.h>
#include <stdio.h>

#define STOLEN_MOST 0.2 /* of the time: more makes a clock of ticks worthless */

/* proc(5), /proc/stat: user nice system idle iowait irq softirq steal. */
bool rsb_native_stolen(double *all, double *stolen)
{
	unsigned long long words[8] = { 0 };
	FILE *file = fopen("/proc/stat", "r");
	int got;

	if (!file)
		return false;
	got = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &words[0], &words[1],
		     &words[2], &words[3], &words[4], &words[5], &words[6], &words[7]);
	fclose(file);
	*all = 0;
	for (int i = 0; i < 8; i++)
		*all += (double)words[i];
	*stolen = (double)words[7];
	return got == 8;
}

const char *rsb_native_doubt(const struct rsb_native *native, const struct rsb_comparison *of)
{
	if (isnan(native->penalty.unit))
		return "no method sees a misprediction here";
	if (native->penalty.noisy)
		return "the machine is too noisy: no measurement of the penalty is steady";
	if (native->stolen > STOLEN_MOST)
		return "the machine is too noisy: a hypervisor took more than a fifth of the time";
	if (of && of->noisy)
		return "the machine is too noisy: more than half of the samples were dropped";
	return "";
}
