/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands in a lesson: run as a reader would, and what they print. */
#ifndef RSB_SIM_CLI_LESSON_COMMAND_H
#define RSB_SIM_CLI_LESSON_COMMAND_H

#include "sim/lesson/given.h"

/*
 * Runs "rsbsim COMMAND ...", with "| head -n N" or "| tail -n N" behind it if need be, in a process
 * of its own. Only commands that show something, and options that neither read nor write files: a
 * lesson may be anybody's.
 */
rsb_lesson_runner cli_lesson_run;

#endif
