/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor at hand, as it names itself (the instruction cpuid). */
#ifndef RSB_SIM_NATIVE_HOST_H
#define RSB_SIM_NATIVE_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct rsb_host {
	char vendor[16]; /* "AMD", "Intel"; what cpuid says of others; "" if there is no cpuid */
	char name[64];   /* "Intel(R) Xeon(R) Processor" */
	unsigned family, model, stepping;
	bool hypervisor; /* under one, which may keep counters to itself */
};

/* False: not an x86-64 machine. */
bool rsb_host_read(struct rsb_host *host);

/* The built-in profile of that processor's core; NULL: none is known. */
const char *rsb_host_profile(const struct rsb_host *host);

/*
 * What perf_event_open() is to be asked for mispredicted returns (PERF_TYPE_RAW). False: not known.
 */
bool rsb_host_counter(const struct rsb_host *host, uint64_t *config);

#endif
