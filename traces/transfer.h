/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transfer tables: which control transfer are these bytes? One table for each architecture, read by
 * our own few rules, because Capstone 4 lacks groups and forms. The length comes from the caller's
 * decoder.
 */
#ifndef RSB_TRACES_TRANSFER_H
#define RSB_TRACES_TRANSFER_H

#include "traces/event.h"

#include <stdbool.h>
#include <stddef.h>

struct rsb_transfer {
	bool transfers;     /* false: falls through always; nothing else is set */
	enum rsb_kind kind; /* a conditional branch says RSB_BRANCH_TAKEN here */
	bool conditional;   /* may fall through */
	bool direct;        /* target is known from the bytes */
	uint8_t flags;      /* RSB_SITE_INDIRECT, RSB_SITE_ZERO_CALL */
	uint64_t target;    /* of a direct transfer */
};

/*
 * Classifies the one x86-64 instruction at pc, whose bytes and exact length (1 to 15) are given.
 * Prefixes are skipped; 66 e8 and 66 c3 are calls and returns too. A string instruction with a rep
 * prefix and hlt do not transfer.
 */
struct rsb_transfer rsb_transfer_x86_64(const uint8_t *bytes, size_t length, uint64_t pc);

#endif
