/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Incidents happen: their events are put between those of the code. One at an instruction is told
 * when the block that holds it is left, before the block's own transfer; by then it is known that
 * the instruction ran.
 */
#include "sim/machine/private.h"

#define LABEL_SIZE 256

#define PARTS 3 /* the most events that one incident makes */

/* One event of an incident. */
struct part {
	enum rsb_kind kind;
	uint8_t detail;
	uint32_t count;
};

static size_t list_parts(const struct rsb_incident *incident, struct part *parts)
{
	const struct rsb_act *act = &incident->act;
	size_t count = 0;

	if (incident->kind == RSB_INCIDENT_INTERRUPT)
		parts[count++] = (struct part){ RSB_INTERRUPT, 0, 0 };
	else if (incident->kind == RSB_INCIDENT_SWITCH)
		parts[count++] = (struct part){ RSB_ENVIRONMENT, RSB_ENVIRONMENT_SWITCH, 0 };
	else if (incident->kind == RSB_INCIDENT_IBPB)
		parts[count++] = (struct part){ RSB_ENVIRONMENT, RSB_ENVIRONMENT_IBPB, 0 };
	if (act->acts)
		parts[count++] = (struct part){ RSB_ENVIRONMENT, (uint8_t)act->what, act->count };
	if (incident->kind == RSB_INCIDENT_INTERRUPT)
		parts[count++] = (struct part){ RSB_IRET, 0, 0 };
	else if (incident->kind == RSB_INCIDENT_SYSCALL)
		parts[count++] = (struct part){ RSB_SYSRET, 0, 0 };
	return count;
}

/* Adds one event at pc, if its kind is recorded. False: no memory. */
static bool add(struct rsb_machine *machine, const struct part *part, uint64_t pc)
{
	struct rsb_site site = {
		.pc = pc,
		.kind = (uint8_t)part->kind,
		.detail = part->detail,
		.count = part->count,
		/*
		 * What a fill pushes is pc + length, which must be no return address: within or
		 * right behind an instruction that is no call there is none.
		 */
		.length = part->count ? 1 : 0,
	};
	char label[LABEL_SIZE];
	uint32_t id, address;

	if (!(machine->options.kinds & RSB_KIND_BIT(part->kind)))
		return true;
	rsb_image_describe(machine->image, pc, label, sizeof(label));
	id = rsb_sites_intern(machine->sites, &site, label);
	address = rsb_sites_address(machine->sites, pc);
	return id != RSB_SITE_NONE && address != UINT32_MAX &&
	       rsb_trace_add(machine->trace, id, address);
}

static void tell(struct rsb_machine *machine, const struct part *part, uint64_t pc)
{
	if (add(machine, part, pc))
		return;
	rsb_error_set(&machine->trouble.error, "out of memory for events");
	rsb_trouble_set(machine, RSB_TROUBLE_MEMORY, pc, 0, 0);
}

void rsb_environment_tell(struct rsb_machine *machine, enum rsb_environment what, uint64_t pc)
{
	const struct part part = { RSB_ENVIRONMENT, (uint8_t)what, 0 };

	tell(machine, &part, pc);
}

static void happen(struct rsb_machine *machine, const struct rsb_incident *incident, uint64_t pc)
{
	struct part parts[PARTS];
	size_t count = list_parts(incident, parts);

	for (size_t i = 0; i < count; i++)
		tell(machine, &parts[i], pc);
}

/* Counts the instruction that the incident is at; each so many times it happens. */
static void reach(struct rsb_machine *machine, size_t index, const struct rsb_incident *incident,
		  uint64_t pc)
{
	machine->reached |= UINT64_C(1) << index;
	if (++machine->phases[index] < incident->every)
		return;
	machine->phases[index] = 0;
	happen(machine, incident, pc);
}

/*
 * Those of one instruction happen in the order of the layout; those of a block, in the code's. Its
 * barrier, if it has one, comes behind what happens before that instruction.
 */
void rsb_incidents_in(struct rsb_machine *machine, const struct rsb_block *block, uint64_t end)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(machine->image, &count);
	uint64_t from = block->start;

	while (from < end) {
		uint64_t next = end;

		for (size_t i = 0; i < count; i++) {
			if (all[i].kind == RSB_INCIDENT_SYSCALL || all[i].pc < from ||
			    all[i].pc >= end ||
			    rsb_block_index(&machine->blocks, block, all[i].pc) == UINT32_MAX)
				continue;
			if (all[i].pc == from)
				reach(machine, i, &all[i], from);
			else if (all[i].pc < next)
				next = all[i].pc;
		}
		if (block->barrier == from)
			rsb_environment_tell(machine, RSB_ENVIRONMENT_IBPB, from);
		else if (block->barrier > from && block->barrier < next)
			next = block->barrier;
		from = from < next && next < end ? next : end;
	}
}

void rsb_incidents_after_syscall(struct rsb_machine *machine, const struct rsb_block *block)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(machine->image, &count);

	for (size_t i = 0; i < count; i++)
		if (all[i].kind == RSB_INCIDENT_SYSCALL)
			reach(machine, i, &all[i], block->last);
}

bool rsb_incidents_serve_syscalls(const struct rsb_image *image)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(image, &count);

	for (size_t i = 0; i < count; i++)
		if (all[i].kind == RSB_INCIDENT_SYSCALL)
			return true;
	return false;
}

bool rsb_incidents_touch(const struct rsb_image *image, uint64_t start, uint64_t end)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(image, &count);

	for (size_t i = 0; i < count; i++)
		if (all[i].kind != RSB_INCIDENT_SYSCALL && all[i].pc >= start && all[i].pc < end)
			return true;
	return false;
}

bool rsb_machine_reached(const struct rsb_machine *machine, struct rsb_error *error)
{
	size_t count;
	const struct rsb_incident *all = rsb_image_incidents(machine->image, &count);
	char place[LABEL_SIZE];

	for (size_t i = 0; i < count; i++) {
		if (all[i].kind == RSB_INCIDENT_SYSCALL || machine->reached >> i & 1)
			continue;
		rsb_image_describe(machine->image, all[i].pc, place, sizeof(place));
		return rsb_error_set(
			error,
			"\"environment\": no instruction that begins at %s (0x%llx) was "
			"executed",
			place, (unsigned long long)all[i].pc);
	}
	return true;
}
