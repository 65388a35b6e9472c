/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of the bounded return stacks: included once by each model that is one, which says
 * in STACK_UNDERFLOW what predicts a return by default when the stack is empty.
 */
static const struct rsb_parameter rows[] = {
	[RSB_STACK_DEPTH] = RSB_PARAMETER_NUMBER("depth",
						 "entries when one thread has the stack to itself",
						 16, 0, RSB_STACK_DEPTH_MAX),
	[RSB_STACK_DEPTH_SMT] = RSB_PARAMETER_NUMBER(
		"depth_smt", "entries for each of two threads on the core; 0: as depth", 0, 0,
		RSB_STACK_DEPTH_MAX),
	[RSB_STACK_SMT] = RSB_PARAMETER_SWITCH("smt", "is a second thread running on the core?"),
	[RSB_STACK_OVERFLOW] = RSB_PARAMETER_CHOICE("overflow", "what a push does to a full stack",
						    "overwrite-oldest|clear-all|refuse",
						    RSB_OVERFLOW_OVERWRITE, 2),
	[RSB_STACK_UNDERFLOW] =
		RSB_PARAMETER_CHOICE("underflow", "what predicts a return when the stack is empty",
				     "stale|none|indirect|fixed", STACK_UNDERFLOW, 3),
	[RSB_STACK_FIXED_TARGET] = RSB_PARAMETER_NUMBER(
		"fixed_target", "the address that underflow=fixed predicts", 0, 0, INT64_MAX),
	[RSB_STACK_ZERO_CALL_PUSHES] = RSB_PARAMETER_SWITCH(
		"zero_call_pushes", "does a call to the next instruction push?"),
	[RSB_STACK_MERGE] = RSB_PARAMETER_SWITCH(
		"merge", "does a return address equal to the newest share its entry?"),
	[RSB_STACK_COUNTER_MAX] = RSB_PARAMETER_NUMBER(
		"counter_max", "pushes that one entry stands for, at most, if merged", 255, 1,
		65535),
	[RSB_STACK_REPAIR] = RSB_PARAMETER_CHOICE("repair", "what is put back after a wrong path",
						  "none|pointer|pointer+top|full",
						  RSB_REPAIR_POINTER, 3),
	[RSB_STACK_QUIRK] = RSB_PARAMETER_SWITCH(
		"quirk",
		"does a mispredicted return leave the pointer one off until a correct one?"),
	[RSB_STACK_SPACING] =
		RSB_PARAMETER_NUMBER("spacing",
				     "bytes from the newest return address below which a call "
				     "makes no entry; 0: no limit",
				     0, 0, 65536),
	[RSB_STACK_IN_FLIGHT] = RSB_PARAMETER_NUMBER(
		"in_flight",
		"the newest calls, so many, that have entries of their own beside the stack until "
		"as many more were made or a return mispredicts; 0: none",
		0, 0, RSB_STACK_IN_FLIGHT_MAX),
	[RSB_STACK_IBPB_CLEARS] = RSB_PARAMETER_SWITCH(
		"ibpb_clears", "does an indirect branch prediction barrier empty the stack?"),
	[RSB_STACK_INDIRECT] =
		RSB_PARAMETER_CHOICE("indirect",
				     "what predicts indirect jumps and calls: nothing, the last "
				     "target, or the last one on the same path",
				     RSB_INDIRECT_CHOICES, RSB_INDIRECT_NONE, 2),
	[RSB_STACK_INDIRECT_ENTRIES] = RSB_PARAMETER_NUMBER(
		"indirect_entries", "entries of the indirect predictor", 1024, 1, RSB_INDIRECT_MAX),
	{ 0 },
};
