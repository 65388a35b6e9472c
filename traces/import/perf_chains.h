/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The return addresses that callchains hold, each the address behind some call. */
#ifndef RSB_TRACES_IMPORT_PERF_CHAINS_H
#define RSB_TRACES_IMPORT_PERF_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rsb_perf_chains;

struct rsb_perf_chains *rsb_perf_chains_new(void); /* NULL: no memory */
void rsb_perf_chains_free(struct rsb_perf_chains *chains);

/* The next address of the sample's callchain. False: no memory. */
bool rsb_perf_chains_add(struct rsb_perf_chains *chains, uint64_t address);

/* The sample's callchain has ended. */
void rsb_perf_chains_end(struct rsb_perf_chains *chains);

bool rsb_perf_chains_hold(const struct rsb_perf_chains *chains, uint64_t address);

#endif
