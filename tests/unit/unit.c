/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a list of tests, and finds files that tests read. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TIMEOUT 600 /* seconds a test may take: sanitizers and busy machines are slow */

int unit_run(const char *topic, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(topic);
	TCase *tcase = tcase_create(topic);
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, TIMEOUT);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* make check tells where the sources are; a test started by hand stands in them. */
static const char *source_folder(void)
{
	const char *folder = getenv("srcdir");

	return folder ? folder : ".";
}

void unit_source_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", source_folder(), name);
}

bool unit_shared_path(char *path, size_t size, const char *name)
{
	const char *folder = getenv("RSB_SHARED");

	if (folder)
		snprintf(path, size, "%s/%s", folder, name);
	else
		snprintf(path, size, "%s/../shared/%s", source_folder(), name);
	if (access(path, R_OK) == 0)
		return true;
	fprintf(stderr, "skipped: %s is not there\n", path);
	return false;
}
