/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A counter of mispredicted returns, of one process, by perf_event_open(2). */
#ifndef RSB_SIM_NATIVE_COUNTER_H
#define RSB_SIM_NATIVE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct perf_event_attr;

/* What is counted: the raw event of rsb_host_counter(). */
void rsb_counter_event(struct perf_event_attr *event, uint64_t config);

/* A file that counts what the process does in user space from here on; -1: there is none. */
int rsb_counter_open(int process);

/* What was counted so far. False: not known, or not all of the time. */
bool rsb_counter_read(int file, uint64_t *count);

#endif
