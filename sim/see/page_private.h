/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page is inside. */
#ifndef RSB_SIM_SEE_PAGE_PRIVATE_H
#define RSB_SIM_SEE_PAGE_PRIVATE_H

#include "sim/see/page.h"

#include <cjson/cJSON.h>

struct rsb_page {
	cJSON *root;   /* what is shown */
	cJSON *blocks; /* in it */
	bool failed;   /* something could not be added */
};

#endif
