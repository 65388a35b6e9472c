/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the shadow stack share. */
#ifndef RSB_SIM_MACHINE_SHADOW_PRIVATE_H
#define RSB_SIM_MACHINE_SHADOW_PRIVATE_H

#include "sim/machine/private.h"
#include "traces/transfer.h"

#define RSB_SHADOW_ENTRY 8u /* bytes */

/* Counts it, and keeps the first. */
void rsb_shadow_fault(struct rsb_machine *machine, enum rsb_shadow_fault_kind kind, uint64_t pc,
		      uint64_t expected, uint64_t actual);

/* One entry, here or on the program's own stack. False: nothing is mapped there. */
bool rsb_shadow_read(struct rsb_machine *machine, uint64_t address, uint64_t *value);

bool rsb_shadow_write(struct rsb_machine *machine, uint64_t address, uint64_t value);

/* Pushes one; trouble where nothing is mapped. */
void rsb_shadow_push(struct rsb_machine *machine, uint64_t pc, uint64_t value);

/*
 * A far call, a far return or an iret of these bytes is about to run (sim/machine/shadow_far.c).
 * Other transfers are none of its.
 */
void rsb_shadow_far(struct rsb_machine *machine, const struct rsb_transfer *transfer, uint64_t pc,
		    const uint8_t *bytes, size_t length);

#endif
