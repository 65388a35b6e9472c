/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers that a later moment is compared by, as one table. */
#ifndef RSB_SIM_MACHINE_REGISTERS_H
#define RSB_SIM_MACHINE_REGISTERS_H

#include "sim/image/image.h"
#include "sim/machine/memory.h"

#include <stdint.h>
#include <unicorn/unicorn.h>

#define RSB_REGISTERS 64

/* Their values in the table's order, zeros where one is narrower. */
struct rsb_registers {
	uint64_t values[RSB_REGISTERS][2];
};

/* What the first round starts from: zeros, the flags, flat segments and the image's bases. */
bool rsb_registers_reset(uc_engine *engine, const struct rsb_memory *memory,
			 struct rsb_error *error);

void rsb_registers_read(uc_engine *engine, struct rsb_registers *registers);

/* Writes them back, but those that say how privileged the code is: segments, CR0, CR4, EFER. */
void rsb_registers_write(uc_engine *engine, const struct rsb_registers *registers);

/* A model-specific register. */
bool rsb_msr_write(uc_engine *engine, uint32_t number, uint64_t value);

/* One register that fits; for the places that need just that. */
uint64_t rsb_register_read(uc_engine *engine, int id);

#endif
