/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim capture: the pages of a kernel that functions touch, as a small core with its symbols. */
#include "sim/capture/capture.h"

#include "sim/cli/capture_boot.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/sources.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
	struct cli_sources sources;
	struct cli_boot_choice boot;
	struct cli_attached attached;
	const char *output;
	struct cli_number budget;
};

/* One of the two files that are written, P.core and P.kallsyms: its name. */
static char *name_part(const char *prefix, const char *extension, struct rsb_error *error)
{
	size_t size = strlen(prefix) + strlen(extension) + 1;
	char *path = malloc(size);

	if (!path)
		return rsb_error_null(error, "out of memory");
	snprintf(path, size, "%s%s", prefix, extension);
	return path;
}

static bool check_part(const char *prefix, const char *extension, struct rsb_error *error)
{
	char *path = name_part(prefix, extension, error);
	bool good = path && cli_output_check(path, error);

	free(path);
	return good;
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), length = strlen(end);

	return size > length && !strcmp(text + size - length, end);
}

/* Before long work: a prefix, which a folder, a device or standard output is not. */
static bool check_output(const char *prefix, struct rsb_error *error)
{
	static const char *const extensions[] = { ".core", ".kallsyms" };
	struct stat status;

	if (!prefix || !*prefix)
		return rsb_error_set(error, "expected --output P, for P.core and P.kallsyms");
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++)
		if (ends_with(prefix, extensions[i]))
			return rsb_error_set(error,
					     "--output: expected P, for the files P.core and "
					     "P.kallsyms, got '%s': leave out %s",
					     prefix, extensions[i]);
	if (!strcmp(prefix, "-") || prefix[strlen(prefix) - 1] == '/' ||
	    (!stat(prefix, &status) && !S_ISREG(status.st_mode)))
		return rsb_error_set(error,
				     "--output: expected P, for the files P.core and P.kallsyms, "
				     "got '%s'",
				     prefix);
	return check_part(prefix, ".core", error) && check_part(prefix, ".kallsyms", error);
}

static bool check(const struct request *request, int argc, char **argv, struct rsb_error *error)
{
	const struct cli_sources *sources = &request->sources;
	const char *lonely = cli_boot_lonely(&request->boot);

	if (argc)
		return rsb_error_set(error, "expected options only, got '%s'; a function is --call",
				     argv[0]);
	if (lonely)
		return rsb_error_set(error, "--%s: expected --kernel beside it", lonely);
	if (request->boot.kernel && (sources->core || sources->symbols))
		return rsb_error_set(error, "expected --kernel, or --core and --symbols, got both");
	if (!request->boot.kernel && !sources->core)
		return rsb_error_set(error, "expected --core, a kernel's memory, or --kernel, one "
					    "to boot");
	if (sources->core && !sources->symbols)
		return rsb_error_set(error, "--core: expected --symbols, that kernel's symbols, "
					    "beside it");
	return check_output(request->output, error);
}

static bool is_called(const struct cli_words *calls, const char *function)
{
	for (size_t i = 0; i < calls->count; i++)
		if (!strcmp(calls->words[i], function))
			return true;
	return false;
}

/* Of a kernel that is booted, the functions that are traced, unless others are named. */
static bool choose_calls(struct request *request, struct rsb_error *error)
{
	struct cli_sources *sources = &request->sources;
	struct cli_attached *attached = &request->attached;

	if (!cli_attached_read(attached, &request->boot.attach, error))
		return false;
	if (sources->calls.count)
		return true;
	for (size_t i = 0; i < attached->count; i++)
		if (!is_called(&sources->calls, attached->all[i].function) &&
		    !cli_take_words(NULL, &sources->calls, attached->all[i].function, error))
			return false;
	return !request->boot.kernel || sources->calls.count || sources->syscalls.count ||
	       rsb_error_set(error, "--kernel: expected --attach, functions to trace, or --call "
				    "or --syscall beside it");
}

/*
 * The layout of a call. What a system call's function reads its arguments from is zero, as for the
 * functions of a capture (rsb_capture_layout()).
 */
static char *write_layout(const struct request *request, size_t number, struct rsb_error *error)
{
	const char *scratch[] = { "rdi=scratch" };
	struct cli_sources sources = request->sources;

	if (!sources.registers.count && number < sources.calls.count)
		sources.registers = (struct cli_words){ scratch, 1 };
	return cli_sources_write(&sources, number, error);
}

static bool add_layout(struct rsb_capture *capture, const struct request *request, size_t number,
		       struct rsb_error *error)
{
	char *text = write_layout(request, number, error);
	struct rsb_layout *layout = text ? rsb_layout_parse("", text, strlen(text), ".", error)
					 : NULL;
	struct cli_progress progress;
	const struct rsb_capture_options options = {
		.budget = request->budget.value,
		.progress = cli_progress_show,
		.context = &progress,
	};
	bool good = false;

	cJSON_free(text);
	if (layout) {
		cli_progress_start(&progress, rsb_layout_name(layout));
		good = rsb_capture_add(capture, layout, &options, error);
		cli_progress_end(&progress);
	}
	rsb_layout_free(layout);
	return good;
}

/* One of the two files. */
struct part {
	char *path;
	struct cli_output output;
};

static bool open_part(struct part *part, const char *prefix, const char *extension,
		      struct rsb_error *error)
{
	bool good;

	part->path = name_part(prefix, extension, error);
	if (!part->path)
		return false;
	good = cli_output_open(&part->output, part->path, error);
	if (!good) {
		free(part->path);
		part->path = NULL;
	}
	return good;
}

static bool close_part(struct part *part, bool good, struct rsb_error *error)
{
	struct rsb_error late;

	if (!part->path)
		return good;
	free(part->path);
	return cli_output_close(&part->output, good, good ? error : &late) && good;
}

/* Both files are whole before the first of them gets its name. */
static bool write_files(const struct request *request, const struct rsb_capture *capture,
			struct rsb_error *error)
{
	const char *const inputs[] = { request->sources.core, request->sources.symbols, NULL };
	struct part core = { .path = NULL }, symbols = { .path = NULL };
	bool good;

	cli_output_spare((char *const *)inputs);
	good = open_part(&core, request->output, ".core", error) &&
	       open_part(&symbols, request->output, ".kallsyms", error);
	if (good)
		good = rsb_capture_write_core(capture, core.output.stream, error) ||
		       rsb_error_prefix(error, "%s", core.path);
	if (good)
		good = rsb_capture_write_symbols(capture, request->sources.symbols,
						 symbols.output.stream, error) &&
		       (!fflush(core.output.stream) && !fflush(symbols.output.stream));
	good = close_part(&symbols, good, error);
	return close_part(&core, good, error);
}

static bool take(const struct request *request, struct rsb_error *error)
{
	struct rsb_capture *capture = rsb_capture_new();
	bool good = capture || rsb_error_set(error, "out of memory");

	good = good && cli_sources_check(&request->sources, error);
	for (size_t i = 0; good && i < cli_sources_count(&request->sources); i++)
		good = add_layout(capture, request, i, error);
	good = good && write_files(request, capture, error);
	rsb_capture_free(capture);
	return good;
}

static bool boot(struct request *request, struct rsb_error *error)
{
	struct rsb_boot *boot = cli_boot_run(&request->boot, &request->attached, error);
	bool good = boot;

	if (boot) {
		request->sources.core = rsb_boot_core(boot);
		request->sources.symbols = rsb_boot_symbols(boot);
		good = take(request, error);
	}
	cli_boot_end(boot);
	return good;
}

static void clear(void *from)
{
	struct request *request = from;

	cli_sources_clear(&request->sources);
	cli_words_clear(&request->boot.attach);
	cli_attached_clear(&request->attached);
}

static enum cli_status run_capture(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;

	if (!check(request, argc, argv, error) || !choose_calls(request, error))
		return CLI_TROUBLE;
	return (request->boot.kernel ? boot(request, error) : take(request, error)) ? CLI_OK
										    : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "core",
	  .argument = "FILE",
	  .take = cli_take_file,
	  .sentence = "a kernel's memory: /proc/kcore, a crash dump, QEMU's dump-guest-memory -p",
	  .field = offsetof(struct request, sources.core) },
	{ .name = "symbols",
	  .argument = "FILE",
	  .take = cli_take_file,
	  .sentence = "that kernel's symbols: /proc/kallsyms, read as root",
	  .field = offsetof(struct request, sources.symbols) },
	{ .name = "call",
	  .argument = "SYMBOL",
	  .take = cli_take_words,
	  .sentence = "a function to run, or its address; may be given more than once",
	  .field = offsetof(struct request, sources.calls) },
	{ .name = "syscall",
	  .argument = "NUMBER",
	  .take = cli_take_words,
	  .sentence = "a system call to make; may be given more than once",
	  .field = offsetof(struct request, sources.syscalls) },
	CLI_BOOT_ROWS(offsetof(struct request, boot)),
	{ .name = "output",
	  .letter = 'o',
	  .argument = "P",
	  .take = cli_take_text,
	  .sentence = "write P.core and P.kallsyms, whole or not at all",
	  .field = offsetof(struct request, output) },
	{ .name = "stub",
	  .argument = "SYMBOL",
	  .take = cli_take_words,
	  .sentence = "a function that returns at once",
	  .field = offsetof(struct request, sources.stubs) },
	{ .name = "set-reg",
	  .argument = "REG=VALUE",
	  .take = cli_take_words,
	  .sentence = "what a register holds at the call (default rdi=scratch, zeroed memory)",
	  .field = offsetof(struct request, sources.registers) },
	{ .name = "map",
	  .argument = "ADDRESS:SIZE",
	  .take = cli_take_words,
	  .sentence = "memory that the code needs; =HEX after it: its contents",
	  .field = offsetof(struct request, sources.maps) },
	{ .name = "gs-base",
	  .argument = "ADDRESS",
	  .take = cli_take_text,
	  .sentence = "the base of the GS segment, in place of the first processor's",
	  .field = offsetof(struct request, sources.gs_base) },
	CLI_BUDGET_ROW(offsetof(struct request, budget)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_capture = {
	.name = "capture",
	.summary = "Keeps the code of a kernel that functions touch, as a small core.",
	.arguments = "OPTION...",
	.help = "The functions are run on the kernel's memory image, as 'score --core' does; "
		"nothing is executed in the kernel. Only the pages that they touch are kept.",
	.example = "rsbsim capture --kernel bzImage --attach fexit:__x64_sys_getsid -o p",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_capture,
};
