/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the text of a lesson. */
#ifndef RSB_SIM_LESSON_READ_H
#define RSB_SIM_LESSON_READ_H

#include "sim/lesson/lesson.h"

/* Fills in all but the lesson's name and number. False: error; what is there is to be freed. */
bool rsb_lesson_read(struct rsb_lesson *lesson, const char *text, size_t size,
		     struct rsb_error *error);

#endif
