/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plug-ins: one that works, and each fault that is refused with a message of its own. */
#include "models/plugin.h"
#include "tests/unit/stream.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "plugin-XXXXXX";
static char object[64];

static void enter_folder(void)
{
	strcpy(folder, "plugin-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(object, sizeof(object), "%s/plugin.so", folder);
}

static void leave_folder(void)
{
	unlink(object);
	rmdir(folder);
}

/* Compiles a file of the source tree with these options, and opens it. */
static struct rsb_plugin *open_compiled(const char *name, const char *options,
					const struct rsb_model_type **type, struct rsb_error *error)
{
	const char *compiler = getenv("CC");
	char source[512], top[512], command[2048];
	struct rsb_plugin *plugin;

	enter_folder();
	unit_source_path(source, sizeof(source), name);
	unit_source_path(top, sizeof(top), "");
	snprintf(command, sizeof(command), "%s -std=c17 -shared -fPIC -I'%s' %s -o %s '%s'",
		 compiler ? compiler : "cc", top, options, object, source);
	ck_assert_int_eq(system(command), 0);
	plugin = rsb_model_plugin_open(object, type, error);
	leave_folder();
	return plugin;
}

static struct rsb_plugin *open_built(const char *options, const struct rsb_model_type **type,
				     struct rsb_error *error)
{
	return open_compiled("tests/unit/plugin.c", options, type, error);
}

static void assert_refused(const char *options, const char *message)
{
	const struct rsb_model_type *type;
	struct rsb_error error;

	ck_assert_ptr_null(open_built(options, &type, &error));
	ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
	ck_assert_msg(strstr(error.text, "plugin.so: ") != NULL, "%s", error.text);
}

/* A model of a plug-in replays as ours do. */
START_TEST(a_plugin_predicts)
{
	struct stream stream = stream_new();
	const struct rsb_model_type *type;
	struct rsb_model *model;
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_plugin *plugin = open_built("-DVALUE=1", &type, &error);

	ck_assert_msg(plugin != NULL, "%s", error.text);
	ck_assert_str_eq(type->name, "faulty");
	rsb_parameter_defaults(type->parameters, values);
	model = rsb_model_new(type, values, &error);
	ck_assert_ptr_nonnull(model);
	stream_return_at(&stream, 0x8000, 0x8000);
	stream_return_at(&stream, 0x8000, 0x1005);
	ck_assert_uint_eq(stream_misses(&stream, model), 1);
	ck_assert_uint_eq(stream.missed[0].event, 1);
	ck_assert_uint_eq(stream.missed[0].predicted, 0x8000);
	ck_assert_uint_eq(rsb_model_exercised(model), UINT64_MAX);
	rsb_model_free(model);
	rsb_model_plugin_close(plugin);
	stream_free(&stream);
}
END_TEST

/* What a plug-in says of its parameters comes out with its name, like our own errors. */
START_TEST(its_errors_come_out_as_ours)
{
	const struct rsb_model_type *type;
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_plugin *plugin = open_built("-DVALUE=2", &type, &error);

	ck_assert_msg(plugin != NULL, "%s", error.text);
	rsb_parameter_defaults(type->parameters, values);
	ck_assert_ptr_null(rsb_model_new(type, values, &error));
	ck_assert_str_eq(error.text, "model faulty: odd must be odd");
	values[0] = 11;
	ck_assert_ptr_null(rsb_model_new(type, values, &error));
	ck_assert_str_eq(error.text, "model faulty: parameter 'odd': 11 is not from 0 to 9");
	rsb_model_plugin_close(plugin);
}
END_TEST

/* The row may have another form then. */
START_TEST(another_version_is_refused)
{
	assert_refused("-DVERSION=1000", "version 1000 of the model interface; this program has "
					 "version 2");
}
END_TEST

/* A shared object that is no model. */
START_TEST(a_missing_row_is_refused)
{
	assert_refused("-DSYMBOL=something_else", "does not define rsb_model_plugin");
}
END_TEST

/* All but a few are needed. */
START_TEST(a_missing_function_is_refused)
{
	assert_refused("-DPREDICT=NULL", "its function 'predict' is NULL");
}
END_TEST

/* Values have room for so many. */
START_TEST(too_many_parameters_are_refused)
{
	assert_refused("-DPARAMETERS=33", "more than 32 parameters");
}
END_TEST

/* It would be a value that nobody could set. */
START_TEST(a_default_out_of_range_is_refused)
{
	assert_refused("-DVALUE=10", "default of its parameter 'odd' is out of range");
}
END_TEST

/* A file that is there but no shared object, and one that is not there. */
START_TEST(other_files_are_refused)
{
	const struct rsb_model_type *type;
	struct rsb_error error;
	FILE *file;

	enter_folder();
	file = fopen(object, "w");
	ck_assert_ptr_nonnull(file);
	fputs("This is a text.\n", file);
	fclose(file);
	ck_assert_ptr_null(rsb_model_plugin_open(object, &type, &error));
	ck_assert_msg(strstr(error.text, "not a plug-in that can be loaded") != NULL, "%s",
		      error.text);
	leave_folder();
	ck_assert_ptr_null(rsb_model_plugin_open(object, &type, &error));
	ck_assert_msg(strstr(error.text, object) == error.text, "%s", error.text);
}
END_TEST

/*
 * The example of rsbsim-model(5): each return goes where it last went. It is written in the way
 * that the manual says, and what it does with its parameter too.
 */
START_TEST(the_example_works)
{
	struct stream stream = stream_new();
	const struct rsb_model_type *type;
	struct rsb_model *model, *copy;
	struct rsb_error error;
	int64_t values[RSB_PARAMETERS_MAX];
	struct rsb_plugin *plugin =
		open_compiled("doc/examples/last_target.c", "-Wall -Wextra -Werror", &type, &error);

	ck_assert_msg(plugin != NULL, "%s", error.text);
	rsb_parameter_defaults(type->parameters, values);
	model = rsb_model_new(type, values, &error);
	ck_assert_ptr_nonnull(model);
	stream_return_at(&stream, 0x8000, 0x1005);
	stream_return_at(&stream, 0x8000, 0x1005);
	stream_return_at(&stream, 0x8000, 0x2005);
	copy = rsb_model_copy(model);
	ck_assert_uint_eq(stream_misses(&stream, model), 2);
	ck_assert_uint_eq(stream.missed[0].kind, RSB_MISS_EMPTY);
	ck_assert_uint_eq(stream.missed[1].predicted, 0x1005);
	ck_assert(!rsb_model_same(model, copy, 0));
	ck_assert_uint_eq(stream_misses(&stream, copy), 2);
	ck_assert(rsb_model_same(model, copy, 0));
	rsb_model_free(copy);
	rsb_model_free(model);
	values[0] = 3;
	ck_assert_ptr_null(rsb_model_new(type, values, &error));
	ck_assert_str_eq(error.text, "model last-target: entries must be a power of two");
	rsb_model_plugin_close(plugin);
	stream_free(&stream);
}
END_TEST

UNIT_MAIN("plug-ins", the_example_works, a_plugin_predicts, its_errors_come_out_as_ours,
	  another_version_is_refused, a_missing_row_is_refused, a_missing_function_is_refused,
	  too_many_parameters_are_refused, a_default_out_of_range_is_refused,
	  other_files_are_refused)
