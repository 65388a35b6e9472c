/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A counter of mispredicted returns. */
#define _GNU_SOURCE
#include "sim/native/counter.h"

#include "sim/native/child.h"
#include "sim/native/host.h"

#if RSB_NATIVE_HERE

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Counts from when it is opened. Without the kernel, which a process may count of its own where
 * perf_event_paranoid is 2, as it mostly is. */
void rsb_counter_event(struct perf_event_attr *event, uint64_t config)
{
	memset(event, 0, sizeof(*event));
	event->type = PERF_TYPE_RAW;
	event->size = sizeof(*event);
	event->config = config;
	event->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	event->exclude_kernel = 1;
	event->exclude_hv = 1;
}

int rsb_counter_open(int process)
{
	struct perf_event_attr event;
	struct rsb_host host;
	uint64_t config;

	if (!rsb_host_read(&host) || !rsb_host_counter(&host, &config))
		return -1;
	rsb_counter_event(&event, config);
	return (int)syscall(SYS_perf_event_open, &event, process, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

bool rsb_counter_read(int file, uint64_t *count)
{
	uint64_t words[3]; /* the count, the time it was enabled, the time it ran */

	if (file < 0 || read(file, words, sizeof(words)) != sizeof(words))
		return false;
	/* One that shared the hardware with others, or never had it, did not count all. */
	if (!words[2] || words[1] != words[2])
		return false;
	*count = words[0];
	return true;
}

#else

int rsb_counter_open(int process)
{
	(void)process;
	return -1;
}

bool rsb_counter_read(int file, uint64_t *count)
{
	(void)file;
	(void)count;
	return false;
}

#endif
