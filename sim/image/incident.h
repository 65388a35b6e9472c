/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Incidents: what happens to the return stack, or to the shadow stack, from outside the code while
 * it runs, and where. The image carries them, so that every run of it has them.
 */
#ifndef RSB_SIM_IMAGE_INCIDENT_H
#define RSB_SIM_IMAGE_INCIDENT_H

#include "traces/site.h"
#include "traces/util/error.h"

#define RSB_INCIDENTS_MAX 64 /* of one image */

enum rsb_incident_kind {
	RSB_INCIDENT_SYSCALL,   /* at each syscall instruction, which does nothing else */
	RSB_INCIDENT_INTERRUPT, /* before the instruction at pc; like the others from here on */
	RSB_INCIDENT_SWITCH,    /* another thread ran in between */
	RSB_INCIDENT_IBPB,      /* an indirect branch prediction barrier */
	RSB_INCIDENT_SHADOW,    /* a kernel keeps the shadow stack, if there is one, in step */
};

/* What is done to the shadow stack with the word on top of the program's stack. */
enum rsb_shadow_act {
	RSB_SHADOW_REPLACE, /* it takes the place of the newest entry */
	RSB_SHADOW_PUSH,
};

/* What is done to the return stack. */
struct rsb_act {
	bool acts; /* false: nothing is */
	enum rsb_environment what;
	uint32_t count; /* entries of a fill */
};

struct rsb_incident {
	enum rsb_incident_kind kind;
	uint64_t pc;    /* of all but a system call */
	uint64_t every; /* each so many times that the instruction is reached; 1: each time */
	struct rsb_act act;
	enum rsb_shadow_act shadow;
};

/* "fill 32", "clear", ...: what happened at a site of RSB_ENVIRONMENT; "" of any other. */
void rsb_act_describe(const struct rsb_site *site, char *out, size_t size);

/* "nothing", "clear", "ibpb" or "fill N". False: error says what was expected. */
bool rsb_act_parse(const char *text, struct rsb_act *act, struct rsb_error *error);

#endif
