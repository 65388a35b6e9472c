/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest for tests of the machine: hand-assembled code below the smallest rsb_round,
 *
 *	401000	rsb_round, rsb_traced_call: call target
 *	401005	rsb_landing: ret
 *	401100	target: the bytes of the test
 *
 * with a page of data that may be written. A round without more than target's instructions has
 * these two beside them.
 */
#ifndef RSB_TESTS_GUEST_H
#define RSB_TESTS_GUEST_H

#include "sim/machine/machine.h"

#include <check.h>

#define GUEST_ROUND   0x401000
#define GUEST_LANDING 0x401005
#define GUEST_TARGET  0x401100
#define GUEST_CODE    (RSB_READ | RSB_EXECUTE)
#define GUEST_DATA    0x500000
#define GUEST_LISTING 4096

#define GUEST_ROUND_INSTRUCTIONS 2 /* the call and the return of rsb_round */

struct guest {
	struct rsb_image *image;
	struct rsb_sites *sites;
	struct rsb_machine *machine;
	struct rsb_trace trace;
	struct rsb_round round;
	struct rsb_error error;
};

/* An image with that code in pages of that access; rsb_machine_new() comes with the first round. */
struct guest guest_new(unsigned access, const uint8_t *code, size_t size);

/* The same with all of the code given, rsb_round first, and the traced call at an offset. */
struct guest guest_whole(unsigned access, const uint8_t *code, size_t size, unsigned traced_call);

void guest_free(struct guest *guest);

/* The same with the bytes of target in place. */
#define GUEST(access, ...)                                  \
	guest_new(access, (const uint8_t[]){ __VA_ARGS__ }, \
		  sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* The same for guest_whole(). */
#define GUEST_WHOLE(access, traced_call, ...)                 \
	guest_whole(access, (const uint8_t[]){ __VA_ARGS__ }, \
		    sizeof((const uint8_t[]){ __VA_ARGS__ }), traced_call)

/* Maps one more segment, zeros or the bytes given. */
void guest_map(struct guest *guest, const char *name, uint64_t address, size_t size,
	       unsigned access, const void *bytes, size_t given);

/* Makes the machine with other options than every kind and the usual budget. */
void guest_open(struct guest *guest, uint32_t kinds, uint64_t budget);

/* Runs one round, whose events take the place of the trace. It must run. */
void guest_run(struct guest *guest);

/* Runs one round, which must fail; returns the message. */
const char *guest_fail(struct guest *guest);

/* The same of a guest that is not needed afterwards. */
const char *guest_message(struct guest guest);

/*
 * The events, one a line, without those of the calling round: "call 401100>401107". Marks are
 * "landing 401005". Owned by a static buffer.
 */
const char *guest_events(const struct guest *guest);

/* The same with the round's own. */
const char *guest_all_events(const struct guest *guest);

/* How many events of that kind there are at pc. */
unsigned guest_count(const struct guest *guest, enum rsb_kind kind, uint64_t pc);

#endif
