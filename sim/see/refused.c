/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What control-flow enforcement says of an event, in words. */
#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/machine/shadow.h"
#include "sim/see/recording.h"

const char *rsb_refused_name(enum rsb_refused refused)
{
	static const char *const names[] = {
		[RSB_REFUSED_NOT] = "",
		[RSB_REFUSED_SHADOW] = "shadow stack",
		[RSB_REFUSED_IBT] = "ibt",
	};

	return names[refused];
}

static const char *name_fault(enum rsb_shadow_fault_kind kind)
{
	switch (kind) {
	case RSB_SHADOW_FAULT_EMPTY:
		return "empty";
	case RSB_SHADOW_FAULT_SEGMENT:
		return "other segment";
	case RSB_SHADOW_FAULT_ALIGNED:
		return "not aligned";
	default: /* the others are not of returns */
		return "other address";
	}
}

const char *rsb_refused_reason(const struct rsb_recorded_event *event)
{
	switch (event->refused) {
	case RSB_REFUSED_SHADOW:
		return name_fault(event->why);
	case RSB_REFUSED_IBT:
		return rsb_pad_name(event->why);
	default:
		return "";
	}
}

static void tell_shadow(const struct rsb_recording *recording,
			const struct rsb_recorded_event *event, char *out, size_t size)
{
	static const char *const stories[] = {
		[RSB_SHADOW_FAULT_EMPTY] = "it is empty",
		[RSB_SHADOW_FAULT_SEGMENT] = "it has no far call's entries there",
		[RSB_SHADOW_FAULT_ALIGNED] = "its pointer is not aligned",
	};

	if (event->why == RSB_SHADOW_FAULT_RETURN)
		snprintf(out, size, "A shadow stack would refuse this return: it has %s",
			 event->expected == RSB_RECORDING_NONE
				 ? "another address"
				 : recording->addresses[event->expected].symbol);
	else
		snprintf(out, size, "A shadow stack would refuse this return: %s",
			 stories[event->why]);
}

void rsb_refused_tell(const struct rsb_recording *recording, const struct rsb_recorded_event *event,
		      char *out, size_t size)
{
	*out = '\0';
	if (event->refused == RSB_REFUSED_SHADOW)
		tell_shadow(recording, event, out, size);
	else if (event->refused == RSB_REFUSED_IBT)
		snprintf(out, size, "Indirect branch tracking refuses this: it lands on %s",
			 rsb_pad_name(event->why));
}
