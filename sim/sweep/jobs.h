/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that is cut into jobs, which several threads take one after the other. */
#ifndef RSB_SIM_SWEEP_JOBS_H
#define RSB_SIM_SWEEP_JOBS_H

#include "traces/util/error.h"

#include <stdint.h>

#define RSB_JOBS_MAX 256 /* threads */

/* Does job number index. False: error, and no more jobs are begun. */
typedef bool rsb_job(void *context, size_t index, struct rsb_error *error);

struct rsb_jobs {
	unsigned threads; /* the caller's is one of them; fewer where the system has no more */
	size_t count;
	rsb_job *job;
	void (*progress)(void *context, uint64_t done,
			 uint64_t of); /* on the caller's; NULL: none */
	void *context;                 /* of job */
	void *progress_context;
};

/* Does them all. False: error is that of the first job in order that failed. */
bool rsb_jobs_run(const struct rsb_jobs *jobs, struct rsb_error *error);

#endif
