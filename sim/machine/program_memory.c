/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls for memory, and how the others reach it. Only memory that is no file's is there
 * to be mapped. Bounds: the heap and the mappings have their room, and what is touched is bounded
 * as all memory of the machine is.
 */
#include "sim/machine/private.h"

#include <errno.h>
#include <linux/mman.h>
#include <string.h>

#define ADDRESS_END (UINT64_C(1) << 47) /* user addresses are below */

static uint64_t round_up(uint64_t size)
{
	return (size + RSB_PAGE - 1) & ~(uint64_t)(RSB_PAGE - 1);
}

/* PROT_... as what a segment may be used for. */
static unsigned access_of(uint64_t protection)
{
	return (protection & PROT_READ ? RSB_READ : 0) | (protection & PROT_WRITE ? RSB_WRITE : 0) |
	       (protection & PROT_EXEC ? RSB_EXECUTE : 0);
}

/* May a program change what is in this range? Not the machine's own places. */
static bool is_the_programs(const struct rsb_memory *memory, uint64_t first, uint64_t size)
{
	uint64_t own, own_end;

	if (first % RSB_PAGE || first < RSB_PAGE || !size || size > ADDRESS_END ||
	    first > ADDRESS_END - size)
		return false;
	rsb_memory_own(memory, &own, &own_end);
	return first >= own_end || first + size <= own;
}

/* A change that cannot be made ends the run: the machine's memory is at its bounds. */
static int64_t finish(struct rsb_machine *machine, bool good, int64_t result)
{
	if (!good)
		rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, machine->last->last, 0, 0);
	return result;
}

static int64_t replace(struct rsb_machine *machine, uint64_t first, uint64_t size,
		       enum rsb_region_kind kind, unsigned access)
{
	const struct rsb_region region = { first, first + size, kind, access };

	return finish(machine,
		      rsb_memory_replace(&machine->memory, &region, &machine->trouble.error),
		      (int64_t)first);
}

int64_t rsb_call_brk(struct rsb_machine *machine, const uint64_t arguments[6])
{
	struct rsb_running *running = &machine->program;
	uint64_t old = round_up(running->brk), new = round_up(arguments[0]);

	if (arguments[0] < running->what->heap || arguments[0] > running->what->heap_end)
		return (int64_t)running->brk;
	running->brk = arguments[0];
	if (new > old)
		replace(machine, old, new - old, RSB_REGION_ZERO, RSB_READ | RSB_WRITE);
	else if (new < old)
		replace(machine, new, old - new, RSB_REGION_NONE, 0);
	return (int64_t)running->brk;
}

int64_t rsb_call_mmap(struct rsb_machine *machine, const uint64_t arguments[6])
{
	const struct rsb_program *what = machine->program.what;
	uint64_t at = arguments[0], size = arguments[1], flags = arguments[3];

	if (!(flags & MAP_ANONYMOUS))
		return -EBADF;
	if (!size || size > ADDRESS_END)
		return size ? -ENOMEM : -EINVAL;
	size = round_up(size);
	if (flags & MAP_FIXED) {
		if (!is_the_programs(&machine->memory, at, size))
			return at % RSB_PAGE ? -EINVAL : -ENOMEM;
	} else if (!rsb_regions_gap(machine->memory.regions, what->mappings, what->mappings_end,
				    size, &at)) {
		return -ENOMEM;
	}
	return replace(machine, at, size, RSB_REGION_ZERO, access_of(arguments[2]));
}

int64_t rsb_call_mprotect(struct rsb_machine *machine, const uint64_t arguments[6])
{
	uint64_t size = round_up(arguments[1]);

	if (arguments[0] % RSB_PAGE)
		return -EINVAL;
	if (!size)
		return 0;
	if (!is_the_programs(&machine->memory, arguments[0], size))
		return -ENOMEM;
	return finish(machine,
		      rsb_memory_protect(&machine->memory, arguments[0], arguments[0] + size,
					 access_of(arguments[2]), &machine->trouble.error),
		      0);
}

int64_t rsb_call_munmap(struct rsb_machine *machine, const uint64_t arguments[6])
{
	uint64_t size = round_up(arguments[1]);

	if (!is_the_programs(&machine->memory, arguments[0], size))
		return -EINVAL;
	replace(machine, arguments[0], size, RSB_REGION_NONE, 0);
	return 0;
}

/* Brings in the page at address. False: it is not there, or may not be used so. */
static bool reach(struct rsb_machine *machine, uint64_t address, unsigned access)
{
	const struct rsb_piece *piece = rsb_memory_find(&machine->memory, address);
	struct rsb_error ignored;

	if (!piece && rsb_memory_load(&machine->memory, address, &ignored))
		piece = rsb_memory_find(&machine->memory, address);
	return piece && (piece->access & access) == access;
}

static bool reach_all(struct rsb_machine *machine, uint64_t address, uint64_t size, unsigned access)
{
	if (size > ADDRESS_END || address > ADDRESS_END - size)
		return false;
	for (uint64_t at = address; at < address + size; at = (at | (RSB_PAGE - 1)) + 1)
		if (!reach(machine, at, access))
			return false;
	return true;
}

bool rsb_program_read(struct rsb_machine *machine, uint64_t address, void *out, uint64_t size)
{
	return reach_all(machine, address, size, RSB_READ) &&
	       rsb_memory_read(&machine->memory, address, out, size) == size;
}

bool rsb_program_write(struct rsb_machine *machine, uint64_t address, const void *in, uint64_t size)
{
	return reach_all(machine, address, size, RSB_WRITE) &&
	       rsb_memory_write(&machine->memory, address, in, size) == size;
}
