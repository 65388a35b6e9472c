/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Those of signal(7) whose action is Term or Core, and which others send. */
#include "traces/util/ending.h"

#include <signal.h>

const int rsb_ending_signals[RSB_ENDING_SIGNALS] = {
	SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGXCPU, /* that of ulimit -t */
	SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
};
