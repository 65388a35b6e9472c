/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that were started, and end. */
#ifndef RSB_TRACES_UTIL_CHILD_H
#define RSB_TRACES_UTIL_CHILD_H

#include <sys/types.h>

/*
 * Waits for its end, however often a signal comes; its status, as of waitpid(). Where that is not
 * to be had, as in a process that ignores SIGCHLD, it is one of failure.
 */
int rsb_child_await(pid_t child);

#endif
