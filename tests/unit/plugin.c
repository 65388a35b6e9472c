/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plug-in with one fault, which the compiler is told: see test_plugin.c. */
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION RSB_MODEL_VERSION
#endif
#ifndef SYMBOL
#define SYMBOL rsb_model_plugin
#endif
#ifndef PREDICT
#define PREDICT predict
#endif
#ifndef PARAMETERS
#define PARAMETERS 1
#endif
#ifndef VALUE
#define VALUE 0
#endif

static struct rsb_parameter parameters[PARAMETERS + 1];

/* Fills in the table when the object is loaded. */
__attribute__((constructor)) static void name_parameters(void)
{
	for (int i = 0; i < PARAMETERS; i++)
		parameters[i] = (struct rsb_parameter)RSB_PARAMETER_NUMBER("odd", "any odd number",
									   VALUE, 0, 9);
}

static void *create(const int64_t *values, struct rsb_error *error)
{
	if (values[0] % 2)
		return malloc(1);
	strcpy(error->text, "odd must be odd");
	return NULL;
}

struct rsb_prediction predict(const void *state, const struct rsb_step *step);

struct rsb_prediction predict(const void *state, const struct rsb_step *step)
{
	(void)state;
	return (struct rsb_prediction){ .valid = true, .target = step->pc };
}

static void update(void *state, const struct rsb_step *step, uint64_t target)
{
	(void)state;
	(void)step;
	(void)target;
}

static void *checkpoint(const void *state)
{
	(void)state;
	return malloc(1);
}

static bool restore(void *state, const void *from)
{
	(void)state;
	(void)from;
	return true;
}

static bool same(const void *a, const void *b, size_t depth)
{
	(void)a;
	(void)b;
	(void)depth;
	return true;
}

const struct rsb_model_type SYMBOL = {
	.version = VERSION,
	.kinds = RSB_KIND_BIT(RSB_RETURN),
	.predicts = RSB_KIND_BIT(RSB_RETURN),
	.name = "faulty",
	.summary = "predicts that a return goes to itself",
	.parameters = parameters,
	.create = create,
	.destroy = free,
	.predict = PREDICT,
	.update = update,
	.checkpoint = checkpoint,
	.restore = restore,
	.same = same,
};
