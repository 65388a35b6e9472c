/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Things of one size, each kept once. They are compared byte for byte: padding must be zero. */
#ifndef RSB_SIM_SEE_INTERN_H
#define RSB_SIM_SEE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct rsb_intern {
	unsigned char *all;
	size_t size; /* of one */
	size_t count;
	uint32_t *index; /* hash table: number + 1; 0 is free */
	size_t index_size;
};

/* Its number, from 0 in the order of coming. UINT32_MAX: no memory. */
uint32_t rsb_intern(struct rsb_intern *intern, const void *thing);
void rsb_intern_clear(struct rsb_intern *intern);

#endif
