/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make_trace EVENTS: writes a long trace to standard output. */
#include "tests/bench/long_trace.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: make_trace EVENTS >FILE\n");
		return 2;
	}
	return long_trace_write(stdout, strtoull(argv[1], NULL, 10)) ? EXIT_SUCCESS : EXIT_FAILURE;
}
