/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU's monitor, over its machine protocol: lines of JSON (docs/interop/qmp-spec of QEMU). */
#ifndef RSB_SIM_CAPTURE_QMP_H
#define RSB_SIM_CAPTURE_QMP_H

#include "traces/util/error.h"

#include <time.h>

struct rsb_qmp {
	int socket;
	struct timespec end; /* of CLOCK_MONOTONIC, by which QEMU must have answered */
	size_t used;
	char line[8192]; /* what has come of it */
};

/* Begins to talk to a QEMU that has the other end of the socket. */
bool rsb_qmp_open(struct rsb_qmp *qmp, struct rsb_error *error);

/* Does a command and waits for it; arguments are JSON, NULL: none. Error: what QEMU says. */
bool rsb_qmp_do(struct rsb_qmp *qmp, const char *command, const char *arguments,
		struct rsb_error *error);

#endif
