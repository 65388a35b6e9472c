/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans: from a call of the traced function to its landing, with a mark at each end. */
#include "sim/machine/private.h"

#define LABEL_SIZE 256

bool rsb_mark_intern(struct rsb_machine *machine, enum rsb_mark mark, uint64_t pc,
		     struct rsb_event *event)
{
	struct rsb_site site = { .pc = pc, .kind = RSB_MARK, .detail = (uint8_t)mark };
	char label[LABEL_SIZE];

	rsb_image_describe(machine->image, pc, label, sizeof(label));
	event->site = rsb_sites_intern(machine->sites, &site, label);
	event->target = rsb_sites_address(machine->sites, pc);
	return event->site != RSB_SITE_NONE && event->target != UINT32_MAX;
}

void rsb_span_open(struct rsb_machine *machine, const struct rsb_event *mark, uint64_t landing_rsp)
{
	rsb_machine_record(machine, mark->site, mark->target);
	machine->open = true;
	machine->landing_rsp = landing_rsp;
	machine->traced_start = rsb_machine_executed(machine);
	rsb_shadow_begin_traced(machine);
}

void rsb_span_close(struct rsb_machine *machine, const struct rsb_event *mark)
{
	rsb_machine_record(machine, mark->site, mark->target);
	machine->open = false;
	machine->round.traced_calls++;
	machine->round.traced_instructions += rsb_machine_executed(machine) - machine->traced_start;
}
