/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses for symbols, where perf printed nothing else. Each symbol is given a range of its own,
 * where no program has code.
 */
#ifndef RSB_TRACES_IMPORT_PERF_SYMBOLS_H
#define RSB_TRACES_IMPORT_PERF_SYMBOLS_H

#include "traces/util/error.h"

#include <stdint.h>

/* A made-up address: a 1, 24 bits of the symbol's number, 32 bits of offset. */
static inline bool rsb_perf_made_up(uint64_t address)
{
	return address >> 56 == 1;
}

struct rsb_perf_symbols;

struct rsb_perf_symbols *rsb_perf_symbols_new(void); /* NULL: no memory */
void rsb_perf_symbols_free(struct rsb_perf_symbols *symbols);

/*
 * Where the symbol begins; file is that which it is in, "" where that is not printed. False:
 * error.
 */
bool rsb_perf_symbols_find(struct rsb_perf_symbols *symbols, const char *name, const char *file,
			   uint64_t *address, struct rsb_error *error);

/* The name of the symbol that the made-up address is in. */
const char *rsb_perf_symbols_name(const struct rsb_perf_symbols *symbols, uint64_t address);

#endif
