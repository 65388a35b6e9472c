/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results, made and freed. */
#ifndef RSB_SIM_CHECK_RESULT_H
#define RSB_SIM_CHECK_RESULT_H

#include "sim/check/check.h"
#include "sim/explain/explain.h"

#include <stdarg.h>

/* Text as printf() makes it, allocated. NULL: no memory. */
char *rsb_check_format(const char *format, va_list arguments);

/* Copies where an instruction is. at may be NULL. False: no memory. */
bool rsb_check_place_set(struct rsb_check_place *place, const struct rsb_instruction *at);

void rsb_check_result_clear(struct rsb_check_result *result);

/* Another case, its names copied; valid until the next is added. NULL: no memory. */
struct rsb_check_case *rsb_check_add_case(struct rsb_check *check, const char *layout,
					  const char *path);

#endif
