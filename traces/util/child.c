/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits for processes. */
#include "traces/util/child.h"

#include <errno.h>
#include <sys/wait.h>

#define UNKNOWN (126 << 8) /* an exit with 126, as of a program that cannot be run */

int rsb_child_await(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return UNKNOWN;
	return status;
}
