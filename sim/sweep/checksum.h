/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums that tell whether parts of a sweep are of the same events and CPUs: against mistakes,
 * not against malice.
 */
#ifndef RSB_SIM_SWEEP_CHECKSUM_H
#define RSB_SIM_SWEEP_CHECKSUM_H

#include "traces/site.h"

#define RSB_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/*
 * A word more: multiplied by 2^64 divided by the golden ratio, as in Fibonacci hashing (Knuth
 * 6.4).
 */
static inline uint64_t rsb_checksum_word(uint64_t checksum, uint64_t word)
{
	checksum = (checksum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return checksum ^ checksum >> 32;
}

uint64_t rsb_checksum_text(uint64_t checksum, const char *text);
uint64_t rsb_checksum_events(uint64_t checksum, const struct rsb_event *events, size_t count);

/* What the ids of the events stand for, as far as models see it. */
uint64_t rsb_checksum_sites(uint64_t checksum, const struct rsb_sites *sites);

#endif
