/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace is and what is in it, written out. */
#ifndef RSB_SIM_REPORT_TRACE_INFO_H
#define RSB_SIM_REPORT_TRACE_INFO_H

#include "traces/summary.h"

#include <stdio.h>

/* The reader tells what is said about the trace. */
void rsb_trace_info_text(FILE *out, unsigned columns, const struct rsb_trace_reader *reader,
			 const struct rsb_trace_summary *summary);

/* whole: the file is not cut short. False: no memory, or a write failed. */
bool rsb_trace_info_json(FILE *out, const struct rsb_trace_reader *reader,
			 const struct rsb_trace_summary *summary, bool whole,
			 struct rsb_error *error);

#endif
