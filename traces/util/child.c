/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits for processes. */
#include "traces/util/child.h"

#include <errno.h>
#include <sys/wait.h>

int rsb_child_await(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
