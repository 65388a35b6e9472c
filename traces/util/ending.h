/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that end a process which has not said otherwise, and leave it the time to put away
 * what it was at. Not those of its own faults; nor SIGPIPE, which only its own writing brings.
 */
#ifndef RSB_TRACES_UTIL_ENDING_H
#define RSB_TRACES_UTIL_ENDING_H

#define RSB_ENDING_SIGNALS 10

extern const int rsb_ending_signals[RSB_ENDING_SIGNALS];

#endif
