/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Software call-depth accounting compared with the calls and returns that are made. */
#ifndef RSB_SIM_EXPLAIN_ACCOUNTING_H
#define RSB_SIM_EXPLAIN_ACCOUNTING_H

#include "sim/explain/place.h"

/* Compares over rounds from up to end. False: no memory. */
bool rsb_accounting_find(const struct rsb_frames *frames, const struct rsb_profile *profile,
			 const struct rsb_namer *namer, uint64_t from, uint64_t end,
			 struct rsb_accounting *accounting);

#endif
