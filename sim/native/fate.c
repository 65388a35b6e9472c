/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of the runner's child, in words. */
#define _GNU_SOURCE
#include "sim/native/fate.h"

#if RSB_NATIVE_HERE

#include <capstone/capstone.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define LONGEST 15 /* bytes of an x86 instruction */

bool rsb_native_fate_good(const struct rsb_native_fate *fate)
{
	return !fate->late && WIFEXITED(fate->status) && fate->step == RSB_NATIVE_DONE;
}

static bool tell_refusal(const struct rsb_native_fate *fate, struct rsb_error *error)
{
	static const char *const what[] = {
		[RSB_NATIVE_NO_STACK] = "no memory for the stack",
		[RSB_NATIVE_NO_BASE] = "this processor or kernel lets no process set the bases of "
				       "FS and GS, which the code uses",
		[RSB_NATIVE_NO_LIMITS] = "the limits cannot be set",
		[RSB_NATIVE_NO_FILTER] = "the filter for system calls cannot be set",
		[RSB_NATIVE_NO_PROCESSOR] = "the processor to stay on cannot be had",
	};
	const char *why = strerror(fate->number);

	if (fate->refusal == RSB_NATIVE_NO_MAPPING && fate->where < fate->plan->count) {
		const struct rsb_native_segment *segment = &fate->plan->segments[fate->where];

		return rsb_error_set(error, "'%s' cannot be mapped at 0x%" PRIx64 ": %s",
				     segment->name, segment->address, why);
	}
	if (fate->refusal < sizeof(what) / sizeof(*what) && what[fate->refusal])
		return rsb_error_set(error, "%s", what[fate->refusal]);
	return rsb_error_set(error, "the code wrote over what the runner tells");
}

/* The instruction's text; "" if it is not in the image. */
static void describe(const struct rsb_image *image, uint64_t pc, char *out, size_t size)
{
	uint8_t bytes[LONGEST];
	struct rsb_error ignored;
	cs_insn *instruction;
	csh handle;

	*out = '\0';
	for (size_t length = LONGEST; length; length--)
		if (rsb_image_read(image, pc, bytes, length, &ignored)) {
			if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
				return;
			if (cs_disasm(handle, bytes, length, pc, 1, &instruction)) {
				snprintf(out, size, "%s%s%s", instruction->mnemonic,
					 *instruction->op_str ? " " : "", instruction->op_str);
				cs_free(instruction, 1);
			}
			cs_close(&handle);
			return;
		}
}

static const char *explain(int number)
{
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
		return "touches memory that is not its own, or may only run in a kernel";
	case SIGILL:
		return "is no instruction here";
	case SIGTRAP:
		return "is a trap";
	case SIGFPE:
		return "divides by zero";
	case SIGXCPU:
		return "was reached when its time was over";
	default:
		return "ended the process";
	}
}

/* A breakpoint is told of when it has been passed. */
static bool tell_fault(const struct rsb_native_fate *fate, struct rsb_error *error)
{
	uint64_t pc = fate->where - (fate->number == SIGTRAP);
	char place[256], text[256];

	rsb_image_describe(fate->image, pc, place, sizeof(place));
	describe(fate->image, pc, text, sizeof(text));
	return rsb_error_set(error, "%s%s%s %s (signal %d)", place, *text ? ": " : "", text,
			     explain(fate->number), fate->number);
}

bool rsb_native_fate_tell(const struct rsb_native_fate *fate, struct rsb_error *error)
{
	if (fate->late)
		return rsb_error_set(error, "not done after %g seconds, and ended",
				     fate->plan->visit.seconds);
	if (WIFSIGNALED(fate->status) && WTERMSIG(fate->status) == SIGSYS)
		return rsb_error_set(error, "the code makes a system call, which it may not here");
	if (WIFSIGNALED(fate->status))
		return rsb_error_set(error, "the code's process was ended by signal %d",
				     WTERMSIG(fate->status));
	if (fate->step == RSB_NATIVE_REFUSED)
		return tell_refusal(fate, error);
	if (fate->step == RSB_NATIVE_FAULTED)
		return tell_fault(fate, error);
	return rsb_error_set(error, "the code ended its process");
}

#endif
