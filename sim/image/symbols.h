/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of an image: names at addresses, as many as a kernel has (hundreds of thousands). */
#ifndef RSB_SIM_IMAGE_SYMBOLS_H
#define RSB_SIM_IMAGE_SYMBOLS_H

#include "traces/util/error.h"

#include <stdint.h>

/* No symbol speaks for code farther behind it than this. */
#define RSB_SYMBOL_REACH UINT64_C(0x100000)

struct rsb_symbols;

struct rsb_symbols *rsb_symbols_new(void); /* NULL: no memory */
void rsb_symbols_free(struct rsb_symbols *symbols);

/* Enters a symbol; size 0: up to the next one. The name is copied. False: no memory. */
bool rsb_symbols_add(struct rsb_symbols *symbols, const char *name, size_t length, uint64_t address,
		     uint64_t size);

/* The address of a name. Error: absent, or at two addresses. */
bool rsb_symbols_find(const struct rsb_symbols *symbols, const char *name, uint64_t *address,
		      struct rsb_error *error);

/* The symbol that address is in, and its bounds; of several at one address the first entered. */
const char *rsb_symbols_at(struct rsb_symbols *symbols, uint64_t address, uint64_t *start,
			   uint64_t *end);

/* Walks the symbols in order of their addresses; false: no more. Start with *index 0. */
bool rsb_symbols_next(struct rsb_symbols *symbols, size_t *index, const char **name,
		      uint64_t *address);

#endif
