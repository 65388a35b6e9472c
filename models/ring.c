/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring: nothing says that it is empty, so that entries which were popped come back. */
#include "models/registry.h"
#include "models/stack.h"

#define STACK_UNDERFLOW RSB_UNDERFLOW_STALE
#include "models/stack_rows.h"

const struct rsb_model_type rsb_model_ring = {
	.name = "ring",
	.summary = "a circular stack that does not know when it is empty: old entries come back",
	.parameters = rows,
	RSB_STACK_TYPE,
};
