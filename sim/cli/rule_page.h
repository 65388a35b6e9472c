/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a rule, for rsbsim explain RSB001. */
#ifndef RSB_SIM_CLI_RULE_PAGE_H
#define RSB_SIM_CLI_RULE_PAGE_H

#include "traces/util/error.h"

/* Is it the name of a rule, or written like the id of one, known or not? */
bool cli_rule_is_meant(const char *text);

/* Writes the page to path (NULL: standard output). False: there is no such rule, or a write failed.
 */
bool cli_rule_page(const char *rule, const char *path, struct rsb_error *error);

#endif
