/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces as long as one may wish, and the same each time. */
#ifndef RSB_TESTS_LONG_TRACE_H
#define RSB_TESTS_LONG_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes a trace of so many events: 512 functions that call each other from 8 places each, nested
 * up to 64 deep. False: it could not be written.
 */
bool long_trace_write(FILE *out, uint64_t events);

#endif
