/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace import: a trace that another tool recorded becomes one of ours. */
#include "sim/cli/trace.h"
#include "sim/cli/traced.h"
#include "traces/import/importer.h"

#include <string.h>

struct request {
	const struct rsb_importer *importer;
	const char *output, *threads;
	struct cli_words images;
};

static bool take_importer(const struct cli_option *option, void *field, const char *text,
			  struct rsb_error *error)
{
	const struct rsb_importer **importer = field;

	(void)option;
	*importer = rsb_importer_find(text, error);
	return *importer != NULL;
}

static const char *importer_name(size_t index)
{
	const struct rsb_importer *importer = rsb_importers()[index];

	return importer ? importer->name : NULL;
}

/* Where another thread goes on in a trace whose threads share a return stack. */
static bool share_threads(const struct rsb_import *import, struct rsb_error *error)
{
	const struct rsb_site site = { .kind = RSB_ENVIRONMENT, .detail = RSB_ENVIRONMENT_SWITCH };
	uint32_t id = rsb_sites_intern(import->sites, &site, NULL);
	uint32_t target = rsb_sites_address(import->sites, 0);

	if (id == RSB_SITE_NONE || target == UINT32_MAX)
		return rsb_error_set(error, "out of memory");
	rsb_trace_writer_share(import->writer, id, target);
	return true;
}

static bool write_trace(const struct request *request, struct rsb_import *import, FILE *out,
			struct rsb_error *error)
{
	const struct rsb_importer *importer = request->importer;

	import->writer = rsb_trace_writer_new(out, import->sites, error);
	if (!import->writer)
		return false;
	if (importer->arch) {
		rsb_trace_write_about(import->writer, "arch", "%s", importer->arch);
		rsb_trace_write_about(import->writer, "source", "%s %s", importer->name,
				      rsb_input_name(import->input));
	}
	if (strcmp(request->threads, "shared") || share_threads(import, error)) {
		if (importer->run(import, error))
			return rsb_trace_writer_end(import->writer, error);
	}
	rsb_trace_writer_free(import->writer);
	return false;
}

static bool import_file(const struct request *request, struct rsb_input *input,
			struct cli_traced *traced, struct rsb_error *error)
{
	struct rsb_import import = { .input = input,
				     .sites = rsb_sites_new(),
				     .code = traced->count ? cli_traced_code : NULL,
				     .code_context = traced };
	struct cli_output output;
	struct rsb_error late;
	bool good;

	if (!import.sites)
		return rsb_error_set(error, "out of memory");
	good = cli_trace_create(&output, request->output, error);
	if (good) {
		good = write_trace(request, &import, output.stream, error);
		good = cli_trace_finish(&output, good, good ? error : &late) && good;
	}
	rsb_sites_free(import.sites);
	return good;
}

static bool import(const struct request *request, int argc, char **argv, struct rsb_error *error)
{
	struct rsb_input *input = NULL;
	struct cli_traced traced;
	bool good;

	if (!request->importer)
		return rsb_error_set(
			error, "expected --from with the format of the trace, as in --from perf");
	if (argc != 1)
		return rsb_error_set(error, "expected one file, or - for standard input");
	good = cli_traced_open(&traced, &request->images, error);
	if (good)
		input = rsb_input_open(argv[0], error);
	good = input && import_file(request, input, &traced, error);
	rsb_input_free(input);
	cli_traced_clear(&traced);
	return good;
}

static void prepare(void *from)
{
	struct request *request = from;

	request->threads = "separate";
}

static void clear(void *from)
{
	struct request *request = from;

	cli_words_clear(&request->images);
}

static enum cli_status run_import(void *from, int argc, char **argv, struct rsb_error *error)
{
	return import(from, argc, argv, error) ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "from",
	  .argument = "FORMAT",
	  .take = take_importer,
	  .sentence = "what FILE is: {}",
	  .name_of = importer_name,
	  .field = offsetof(struct request, importer) },
	{ .name = "image",
	  .argument = "ELF[@ADDRESS]",
	  .take = cli_take_words,
	  .sentence = "a program that was traced, or a library of it, and the address that it was "
		      "loaded at, if it can be loaded anywhere: tells what perf's branches are "
		      "where their types are missing; may be given more than once",
	  .field = offsetof(struct request, images) },
	{ .name = "threads",
	  .argument = "HOW",
	  .take = cli_take_choice,
	  .sentence = "separate: each thread has a return stack of its own, which is "
		      "usual; shared: all run through one, as if in turn on one "
		      "hardware thread",
	  .field = offsetof(struct request, threads),
	  .choices = "separate|shared" },
	CLI_TRACE_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_trace_import = {
	.name = "trace import",
	.summary = "Turns a trace that another tool recorded into one of ours.",
	.arguments = "--from FORMAT FILE",
	.help = "FILE may be compressed by gzip, xz, zstd or bzip2, be a zip file, or - for standard "
		"input.",
	.example = "rsbsim trace import --from text skip.txt -o skip.rsbt",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_import,
};
