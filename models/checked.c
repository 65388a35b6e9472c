/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checked stack: it counts its entries, and predicts nothing when there are none. */
#include "models/registry.h"
#include "models/stack.h"

#define STACK_UNDERFLOW RSB_UNDERFLOW_NONE
#include "models/stack_rows.h"

const struct rsb_model_type rsb_model_checked = {
	.name = "checked",
	.summary = "a stack that counts its entries: no prediction when it is empty",
	.parameters = rows,
	RSB_STACK_TYPE,
};
