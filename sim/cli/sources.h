/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that a command line brings along, without a layout file: what the options say is written as
 * the text of one, so that it is read by the same rules.
 */
#ifndef RSB_SIM_CLI_SOURCES_H
#define RSB_SIM_CLI_SOURCES_H

#include "sim/cli/options.h"

/* What the options say; NULL: not given. */
struct cli_sources {
	const char *assembly, *elf, *jitdump, *core, *bytes; /* one of them */
	const char *symbols, *syntax, *base;
	const char *gs_base, *fs_base;
	struct cli_words calls, syscalls; /* a layout each */
	const char *entry, *traced;       /* of a whole program, in place of those */
	struct cli_words registers, maps, defines, stubs;
};

/* The rows of these options, for a command's own. */
#define CLI_SOURCE_ROWS(at)                                                                   \
	{ .name = "asm",                                                                      \
	  .argument = "FILE",                                                                 \
	  .take = cli_take_file,                                                              \
	  .sentence = "code of your own in assembly; a .S is preprocessed before",            \
	  .field = (at) + offsetof(struct cli_sources, assembly) },                           \
		{ .name = "elf",                                                              \
		  .argument = "FILE",                                                         \
		  .take = cli_take_file,                                                      \
		  .sentence = "an object file, an executable or a shared object",             \
		  .field = (at) + offsetof(struct cli_sources, elf) },                        \
		{ .name = "jitdump",                                                          \
		  .argument = "FILE",                                                         \
		  .take = cli_take_file,                                                      \
		  .sentence = "what a just-in-time compiler wrote for perf",                  \
		  .field = (at) + offsetof(struct cli_sources, jitdump) },                    \
		{ .name = "core",                                                             \
		  .argument = "FILE",                                                         \
		  .take = cli_take_file,                                                      \
		  .sentence = "a kernel's memory, or a process's; with --symbols",            \
		  .field = (at) + offsetof(struct cli_sources, core) },                       \
		{ .name = "symbols",                                                          \
		  .argument = "FILE",                                                         \
		  .take = cli_take_file,                                                      \
		  .sentence = "its symbols, as in /proc/kallsyms, or of an ELF file",         \
		  .field = (at) + offsetof(struct cli_sources, symbols) },                    \
		{ .name = "bytes",                                                            \
		  .argument = "HEX",                                                          \
		  .take = cli_take_text,                                                      \
		  .sentence = "machine code: 'e8 01', '\\xe8\\x01', a C array, objdump's "    \
			      "lines",                                                        \
		  .field = (at) + offsetof(struct cli_sources, bytes) },                      \
		{ .name = "base",                                                             \
		  .argument = "ADDRESS",                                                      \
		  .take = cli_take_text,                                                      \
		  .sentence = "where that code lies, in place of 0x401000 for bytes, "        \
			      "0x400000 for what is not linked, 0 for shared objects",        \
		  .field = (at) + offsetof(struct cli_sources, base) },                       \
		{ .name = "call",                                                             \
		  .argument = "SYMBOL",                                                       \
		  .take = cli_take_words,                                                     \
		  .sentence = "the function to call, or its address; may be given more than " \
			      "once",                                                         \
		  .field = (at) + offsetof(struct cli_sources, calls) },                      \
		{ .name = "syscall",                                                          \
		  .argument = "NUMBER",                                                       \
		  .take = cli_take_words,                                                     \
		  .sentence = "the system call of --core to make from user code; may be "     \
			      "given more than once",                                         \
		  .field = (at) + offsetof(struct cli_sources, syscalls) },                   \
		{ .name = "entry",                                                            \
		  .argument = "SYMBOL",                                                       \
		  .take = cli_take_text,                                                      \
		  .sentence = "in place of --call: a whole program is run, and counted from " \
			      "here on",                                                      \
		  .field = (at) + offsetof(struct cli_sources, entry) },                      \
		{ .name = "trace-call",                                                       \
		  .argument = "SYMBOL",                                                       \
		  .take = cli_take_text,                                                      \
		  .sentence = "score that program's calls of this function; without, the "    \
			      "entry is one call",                                            \
		  .field = (at) + offsetof(struct cli_sources, traced) },                     \
		{ .name = "syntax",                                                           \
		  .argument = "WORD",                                                         \
		  .take = cli_take_choice,                                                    \
		  .sentence = "att or intel: of --asm (default att)",                         \
		  .field = (at) + offsetof(struct cli_sources, syntax),                       \
		  .choices = "att|intel" },                                                   \
		{ .name = "define",                                                           \
		  .argument = "SYMBOL=OTHER",                                                 \
		  .take = cli_take_words,                                                     \
		  .sentence = "what a symbol is that --asm or --elf does not define",         \
		  .field = (at) + offsetof(struct cli_sources, defines) },                    \
		{ .name = "stub",                                                             \
		  .argument = "SYMBOL",                                                       \
		  .take = cli_take_words,                                                     \
		  .sentence = "a function that returns at once",                              \
		  .field = (at) + offsetof(struct cli_sources, stubs) },                      \
		{ .name = "set-reg",                                                          \
		  .argument = "REG=VALUE",                                                    \
		  .take = cli_take_words,                                                     \
		  .sentence = "what a register holds at the call: a number, or scratch, the " \
			      "address of memory of its own",                                 \
		  .field = (at) + offsetof(struct cli_sources, registers) },                  \
		{ .name = "map",                                                              \
		  .argument = "ADDRESS:SIZE",                                                 \
		  .take = cli_take_words,                                                     \
		  .sentence = "memory that the code needs; =HEX after it: its contents",      \
		  .field = (at) + offsetof(struct cli_sources, maps) },                       \
		{ .name = "gs-base",                                                          \
		  .argument = "ADDRESS",                                                      \
		  .take = cli_take_text,                                                      \
		  .sentence = "the base of the GS segment",                                   \
		  .field = (at) + offsetof(struct cli_sources, gs_base) },                    \
	{                                                                                     \
		.name = "fs-base", .argument = "ADDRESS", .take = cli_take_text,              \
		.sentence = "the base of the FS segment, in place of a thread's memory that " \
			    "is made",                                                        \
		.field = (at) + offsetof(struct cli_sources, fs_base)                         \
	}

/* How many layouts the options make. */
size_t cli_sources_count(const struct cli_sources *sources);

/* What the layout of this number calls; and the layout, as the text of a file, to be freed by
 * cJSON_free(). NULL: error. */
const char *cli_sources_name(const struct cli_sources *sources, size_t number);
char *cli_sources_write(const struct cli_sources *sources, size_t number, struct rsb_error *error);

/* Can these options go together? */
bool cli_sources_check(const struct cli_sources *sources, struct rsb_error *error);

void cli_sources_clear(struct cli_sources *sources);

#endif
