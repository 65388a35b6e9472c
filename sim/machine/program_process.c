/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls that ask of the process, and of the time. There is one thread, no signal comes,
 * and what differs from run to run elsewhere (the time, random numbers) is the same in each.
 */
#include "sim/machine/private.h"
#include "sim/machine/registers.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#define TICK      1                        /* microseconds that the clock goes on by, when asked */
#define EPOCH     INT64_C(1735689600)      /* where it starts: 2025-01-01 00:00 UTC */
#define SECOND    UINT64_C(1000000)        /* of ticks */
#define RANDOMS   256                      /* the most bytes that getrandom() gives at once */
#define SIGNALS   8                        /* bytes of a set of signals */
#define STACK_MAX (8 * UINT64_C(0x100000)) /* what getrlimit() says of the stack */

int64_t rsb_call_leave(struct rsb_machine *machine, const uint64_t arguments[6])
{
	rsb_program_end(machine, true, (int)(arguments[0] & 0xff));
	return 0;
}

int64_t rsb_call_set_base(struct rsb_machine *machine, const uint64_t arguments[6])
{
	int id = arguments[0] == ARCH_SET_FS || arguments[0] == ARCH_GET_FS ? UC_X86_REG_FS_BASE
									    : UC_X86_REG_GS_BASE;
	uint64_t base = arguments[1];

	switch (arguments[0]) {
	case ARCH_SET_FS:
	case ARCH_SET_GS:
		if (base >> 47)
			return -EPERM;
		uc_reg_write(machine->engine, id, &base);
		return 0;
	case ARCH_GET_FS:
	case ARCH_GET_GS:
		base = rsb_register_read(machine->engine, id);
		return rsb_program_give(machine, arguments[1], &base, sizeof(base));
	default:
		return -EINVAL;
	}
}

int64_t rsb_call_name_system(struct rsb_machine *machine, const uint64_t arguments[6])
{
	const struct utsname name = {
		.sysname = "Linux",
		.nodename = "rsbsim",
		.release = "6.12.0",
		.version = "#1",
		.machine = "x86_64",
	};

	return rsb_program_give(machine, arguments[0], &name, sizeof(name));
}

static int64_t give_limit(struct rsb_machine *machine, uint64_t resource, uint64_t address)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	if (resource == RLIMIT_STACK)
		limit.rlim_cur = STACK_MAX;
	return rsb_program_offer(machine, address, &limit, sizeof(limit));
}

int64_t rsb_call_get_limit(struct rsb_machine *machine, const uint64_t arguments[6])
{
	return give_limit(machine, arguments[0], arguments[1]);
}

int64_t rsb_call_change_limit(struct rsb_machine *machine, const uint64_t arguments[6])
{
	return give_limit(machine, arguments[1], arguments[3]);
}

/* No signal ever comes, so that it is enough to say that nothing was set before. */
int64_t rsb_call_set_action(struct rsb_machine *machine, const uint64_t arguments[6])
{
	static const uint8_t none[32]; /* struct sigaction, as the system has it */

	return rsb_program_offer(machine, arguments[2], none, sizeof(none));
}

int64_t rsb_call_set_mask(struct rsb_machine *machine, const uint64_t arguments[6])
{
	static const uint8_t none[SIGNALS];

	return rsb_program_offer(machine, arguments[2], none, sizeof(none));
}

int64_t rsb_call_set_signal_stack(struct rsb_machine *machine, const uint64_t arguments[6])
{
	const struct {
		uint64_t base;
		int32_t flags, pad;
		uint64_t size;
	} none = { 0, 2 /* SS_DISABLE */, 0, 0 };

	return rsb_program_offer(machine, arguments[1], &none, sizeof(none));
}

/* Of one processor. */
int64_t rsb_call_get_affinity(struct rsb_machine *machine, const uint64_t arguments[6])
{
	const uint64_t first = 1;
	int64_t result = arguments[1] < sizeof(first)
				 ? -EINVAL
				 : rsb_program_give(machine, arguments[2], &first, sizeof(first));

	return result ? result : (int64_t)sizeof(first);
}

/* There is nobody to wake, or to wait for. */
int64_t rsb_call_use_futex(struct rsb_machine *machine, const uint64_t arguments[6])
{
	uint32_t value;

	switch (arguments[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return 0;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		if (!rsb_program_read(machine, arguments[0], &value, sizeof(value)))
			return -EFAULT;
		return value == (uint32_t)arguments[2] ? -ETIMEDOUT : -EAGAIN;
	default:
		return -ENOSYS;
	}
}

/* xorshift64 (Marsaglia, Xorshift RNGs, 2003) */
int64_t rsb_call_give_random(struct rsb_machine *machine, const uint64_t arguments[6])
{
	uint64_t size = arguments[1] < RANDOMS ? arguments[1] : RANDOMS;
	uint64_t *random = &machine->program.random;
	uint8_t bytes[RANDOMS];
	int64_t result;

	for (uint64_t i = 0; i < size; i++) {
		*random ^= *random << 13;
		*random ^= *random >> 7;
		*random ^= *random << 17;
		bytes[i] = (uint8_t)(*random >> 32);
	}
	result = rsb_program_give(machine, arguments[0], bytes, size);
	return result ? result : (int64_t)size;
}

static int64_t now(struct rsb_machine *machine)
{
	machine->program.ticks += TICK;
	return EPOCH + (int64_t)(machine->program.ticks / SECOND);
}

static uint64_t fraction(const struct rsb_machine *machine)
{
	return machine->program.ticks % SECOND;
}

int64_t rsb_call_tell_clock(struct rsb_machine *machine, const uint64_t arguments[6])
{
	int64_t time[2] = { now(machine) };

	time[1] = (int64_t)fraction(machine) * 1000;
	return rsb_program_give(machine, arguments[1], time, sizeof(time));
}

int64_t rsb_call_tell_resolution(struct rsb_machine *machine, const uint64_t arguments[6])
{
	static const int64_t resolution[2] = { 0, 1 };

	return rsb_program_offer(machine, arguments[1], resolution, sizeof(resolution));
}

int64_t rsb_call_tell_day(struct rsb_machine *machine, const uint64_t arguments[6])
{
	int64_t time[2] = { now(machine) };

	time[1] = (int64_t)fraction(machine);
	return rsb_program_offer(machine, arguments[0], time, sizeof(time));
}

int64_t rsb_call_tell_time(struct rsb_machine *machine, const uint64_t arguments[6])
{
	int64_t time = now(machine),
		result = rsb_program_offer(machine, arguments[0], &time, sizeof(time));

	return result ? result : time;
}

int64_t rsb_call_tell_usage(struct rsb_machine *machine, const uint64_t arguments[6])
{
	static const struct rusage none;

	return rsb_program_give(machine, arguments[1], &none, sizeof(none));
}
