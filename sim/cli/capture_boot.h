/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel that rsbsim capture boots: its options, and what to do when a signal ends the program.
 */
#ifndef RSB_SIM_CLI_CAPTURE_BOOT_H
#define RSB_SIM_CLI_CAPTURE_BOOT_H

#include "sim/capture/boot.h"
#include "sim/cli/options.h"

struct cli_boot_choice {
	const char *kernel, *cpu_model, *append; /* NULL: not given */
	struct cli_words attach;                 /* "fexit:FUNCTION,..." */
	struct cli_number seconds;
};

/* The rows of these options. */
#define CLI_BOOT_ROWS(at)                                                                      \
	{ .name = "kernel",                                                                    \
	  .argument = "FILE",                                                                  \
	  .take = cli_take_file,                                                               \
	  .sentence = "in place of --core: a bzImage to boot under QEMU",                      \
	  .field = (at) + offsetof(struct cli_boot_choice, kernel) },                          \
		{ .name = "cpu-model",                                                         \
		  .argument = "NAME",                                                          \
		  .take = cli_take_text,                                                       \
		  .sentence = "the CPU that QEMU shows it (qemu-system-x86_64 -cpu help)",     \
		  .field = (at) + offsetof(struct cli_boot_choice, cpu_model) },               \
		{ .name = "append",                                                            \
		  .argument = "ARGS",                                                          \
		  .take = cli_take_text,                                                       \
		  .sentence = "arguments of that kernel: mitigations=off",                     \
		  .field = (at) + offsetof(struct cli_boot_choice, append) },                  \
		{ .name = "attach",                                                            \
		  .argument = "LIST",                                                          \
		  .take = cli_take_words,                                                      \
		  .sentence = "BPF programs to attach, as KIND:FUNCTION with commas between: " \
			      "fentry, fexit or fmod_ret; may be given more than once",        \
		  .field = (at) + offsetof(struct cli_boot_choice, attach) },                  \
	{                                                                                      \
		.name = "time-limit", .argument = "SECONDS", .take = cli_take_number,          \
		.sentence = "that the boot may take (default 600)",                            \
		.field = (at) + offsetof(struct cli_boot_choice, seconds), .minimum = 1,       \
		.maximum = 86400                                                               \
	}

/* Programs, as the words list them. */
struct cli_attached {
	struct rsb_attach all[RSB_BOOT_ATTACHED];
	size_t count;
	char *text; /* that they are in */
};

/* An option that says nothing without --kernel; NULL: none is given. */
const char *cli_boot_lonely(const struct cli_boot_choice *choice);

/* Reads the programs; to be cleared even after an error. */
bool cli_attached_read(struct cli_attached *attached, const struct cli_words *words,
		       struct rsb_error *error);
void cli_attached_clear(struct cli_attached *attached);

/* Boots the kernel. NULL: error. To be freed by cli_boot_end(), also when a signal comes. */
struct rsb_boot *cli_boot_run(const struct cli_boot_choice *choice,
			      const struct cli_attached *attached, struct rsb_error *error);
void cli_boot_end(struct rsb_boot *boot);

#endif
