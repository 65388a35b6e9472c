/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test program shares. A program is one topic, its tests in the order they are
 * listed:
 *
 *	START_TEST(interns_a_site_once)
 *	...
 *	END_TEST
 *
 *	UNIT_MAIN("site table", interns_a_site_once, refuses_a_full_table)
 */
#ifndef RSB_TESTS_UNIT_H
#define RSB_TESTS_UNIT_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

#define UNIT_MAIN(topic, ...)                                                  \
	int main(void)                                                         \
	{                                                                      \
		const TTest *const tests[] = { __VA_ARGS__ };                  \
                                                                               \
		return unit_run(topic, tests, sizeof(tests) / sizeof(*tests)); \
	}

/* Runs the tests; returns the exit status. */
int unit_run(const char *topic, const TTest *const *tests, size_t count);

/* Writes the path of a file of the source tree. */
void unit_source_path(char *path, size_t size, const char *name);

/*
 * Writes the path of a file of the material kept beside the source tree: in $RSB_SHARED, or else in
 * ../shared. False: it is not there, and the test has nothing to do.
 */
bool unit_shared_path(char *path, size_t size, const char *name);

#endif
