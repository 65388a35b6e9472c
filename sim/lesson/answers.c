/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictions as a file. */
#include "sim/lesson/answers.h"

#include "sim/report/json.h"
#include "traces/util/clean.h"
#include "traces/util/json.h"

#include <stdlib.h>
#include <string.h>

#define KEYS        "schema|lesson|version|questions|right|answers"
#define ANSWER_KEYS "question|prediction|computed|right"

static bool add_answer(cJSON *to, const struct rsb_given_block *question)
{
	cJSON *object = rsb_add_object(to, NULL);

	return rsb_add_text(object, "question", question->block->name) &&
	       rsb_add_text(object, "prediction",
			    *question->prediction ? question->prediction : NULL) &&
	       rsb_add_text(object, "computed", question->right.text) &&
	       rsb_add_switch(object, "right", question->is_right);
}

bool rsb_answers_write(FILE *out, const struct rsb_given *given, struct rsb_error *error)
{
	cJSON *root = rsb_json_new(), *array;
	bool good = rsb_add_text(root, "lesson", given->lesson->name) &&
		    rsb_add_integer(root, "version", given->lesson->version) &&
		    rsb_add_integer(root, "questions", given->questions) &&
		    rsb_add_integer(root, "right", given->right);

	array = rsb_add_array(root, "answers");
	for (size_t i = 0; good && i < given->count; i++)
		if (given->blocks[i].block->kind == RSB_LESSON_QUESTION)
			good = add_answer(array, &given->blocks[i]);
	return rsb_json_write(out, root, good && array, error);
}

struct rsb_answers {
	char *path;
	struct rsb_json *json;
	const char *lesson;
	unsigned version;
	const cJSON *array;
};

/* null, or nothing, where nothing was predicted. */
static bool read_prediction(const struct rsb_answers *answers, const cJSON *item, const char **out,
			    struct rsb_error *error)
{
	*out = "";
	if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(item, "prediction")))
		return true;
	return rsb_json_label(answers->json, item, "prediction", out, error);
}

static bool check_answer(const struct rsb_answers *answers, const cJSON *item,
			 struct rsb_error *error)
{
	const char *question = NULL, *prediction;

	if (!cJSON_IsObject(item))
		return rsb_json_mismatch(answers->json, item, "an object", error);
	if (!rsb_json_keys(answers->json, item, ANSWER_KEYS, error) ||
	    !rsb_json_label(answers->json, item, "question", &question, error) ||
	    !read_prediction(answers, item, &prediction, error))
		return false;
	return question ||
	       rsb_json_error(answers->json, item, error, "expected \"question\", a name");
}

static bool read_answers(struct rsb_answers *answers, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(answers->json), *item;
	int64_t version = 0;

	if (!rsb_json_keys(answers->json, root, KEYS, error) ||
	    !rsb_json_label(answers->json, root, "lesson", &answers->lesson, error) ||
	    !rsb_json_integer(answers->json, root, "version", 1, 1000000, &version, error))
		return false;
	answers->version = (unsigned)version;
	answers->array = cJSON_GetObjectItemCaseSensitive(root, "answers");
	if (!answers->lesson || !version || !cJSON_IsArray(answers->array))
		return rsb_json_error(answers->json, root, error,
				      "expected \"lesson\", \"version\" and the array "
				      "\"answers\", as rsbsim lesson -o writes them");
	cJSON_ArrayForEach(item,
			   answers->array) if (!check_answer(answers, item, error)) return false;
	return true;
}

static struct rsb_answers *make(const char *path, struct rsb_json *json, struct rsb_error *error)
{
	struct rsb_answers *answers = json ? calloc(1, sizeof(*answers)) : NULL;
	bool good = false;

	if (answers) {
		answers->json = json;
		answers->path = rsb_clean(strdup(path));
		good = answers->path ? read_answers(answers, error)
				     : rsb_error_set(error, "out of memory");
	} else if (json) {
		rsb_json_free(json);
		rsb_error_set(error, "out of memory");
	}
	if (good)
		return answers;
	rsb_answers_free(answers);
	return NULL;
}

struct rsb_answers *rsb_answers_load(const char *path, struct rsb_error *error)
{
	return make(path, rsb_json_load(path, error), error);
}

struct rsb_answers *rsb_answers_parse(const char *name, const char *text, size_t size,
				      struct rsb_error *error)
{
	return make(name, rsb_json_parse(name, text, size, error), error);
}

void rsb_answers_free(struct rsb_answers *answers)
{
	if (!answers)
		return;
	rsb_json_free(answers->json);
	free(answers->path);
	free(answers);
}

const char *rsb_answers_path(const struct rsb_answers *answers)
{
	return answers->path;
}

const char *rsb_answers_lesson(const struct rsb_answers *answers)
{
	return answers->lesson;
}

unsigned rsb_answers_version(const struct rsb_answers *answers)
{
	return answers->version;
}

/* What is no number, or no choice, is a wrong prediction, not a bad file. */
static bool apply(const struct rsb_answers *answers, struct rsb_given *given, const cJSON *item,
		  struct rsb_error *error)
{
	const char *name = NULL, *prediction;
	struct rsb_given_block *question;
	struct rsb_error refused;

	if (!rsb_json_label(answers->json, item, "question", &name, error) ||
	    !read_prediction(answers, item, &prediction, error))
		return false;
	question = rsb_given_question(given, name);
	if (!question)
		return rsb_json_error(answers->json, item, error, "lesson %s has no question '%s'",
				      answers->lesson, name);
	if (*question->prediction)
		return rsb_json_error(answers->json, item, error,
				      "expected one prediction for '%s'", name);
	rsb_given_predict(given, question, prediction, &refused);
	return true;
}

bool rsb_answers_apply(const struct rsb_answers *answers, struct rsb_given *given,
		       struct rsb_error *error)
{
	struct rsb_error ignored;
	const cJSON *item;

	for (size_t i = 0; i < given->count; i++)
		if (given->blocks[i].block->kind == RSB_LESSON_QUESTION)
			rsb_given_predict(given, &given->blocks[i], "", &ignored);
	cJSON_ArrayForEach(item,
			   answers->array) if (!apply(answers, given, item, error)) return false;
	return true;
}
