/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls for files. There is none but the standard ones: the input is empty, and the
 * output is counted and thrown away.
 */
#include "sim/machine/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#define VECTORS 1024 /* of writev(): the system's own bound (UIO_MAXIOV) */

static bool is_output(uint64_t file)
{
	return file == 1 || file == 2;
}

int64_t rsb_call_read_file(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	return arguments[0] ? -EBADF : 0;
}

static int64_t write_bytes(struct rsb_machine *machine, uint64_t address, uint64_t size)
{
	uint8_t byte;

	for (uint64_t at = 0; at < size; at += RSB_PAGE)
		if (!rsb_program_read(machine, address + at, &byte, 1))
			return -EFAULT;
	if (size && !rsb_program_read(machine, address + size - 1, &byte, 1))
		return -EFAULT;
	machine->program.ending.written += size;
	return (int64_t)size;
}

int64_t rsb_call_write_file(struct rsb_machine *machine, const uint64_t arguments[6])
{
	if (!is_output(arguments[0]))
		return -EBADF;
	return write_bytes(machine, arguments[1], arguments[2] & INT32_MAX);
}

int64_t rsb_call_write_vectors(struct rsb_machine *machine, const uint64_t arguments[6])
{
	int64_t total = 0;

	if (!is_output(arguments[0]))
		return -EBADF;
	if (arguments[2] > VECTORS)
		return -EINVAL;
	for (uint64_t i = 0; i < arguments[2]; i++) {
		struct iovec vector;
		int64_t done;

		if (!rsb_program_read(machine, arguments[1] + i * sizeof(vector), &vector,
				      sizeof(vector)))
			return -EFAULT;
		done = write_bytes(machine, (uint64_t)(uintptr_t)vector.iov_base,
				   vector.iov_len & INT32_MAX);
		if (done < 0)
			return done;
		total += done;
	}
	return total;
}

int64_t rsb_call_seek(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	return arguments[0] <= 2 ? -ESPIPE : -EBADF;
}

int64_t rsb_call_control_terminal(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	return arguments[0] <= 2 ? -ENOTTY : -EBADF;
}

int64_t rsb_call_control_file(struct rsb_machine *machine, const uint64_t arguments[6])
{
	(void)machine;
	if (arguments[0] > 2)
		return -EBADF;
	return arguments[1] == F_GETFL ? O_RDWR : 0;
}

/* The standard files are pipes. */
static int64_t describe(struct rsb_machine *machine, uint64_t file, uint64_t address)
{
	const struct stat status = { .st_mode = S_IFIFO | 0600, .st_nlink = 1, .st_blksize = 4096 };

	return file <= 2 ? rsb_program_give(machine, address, &status, sizeof(status)) : -EBADF;
}

int64_t rsb_call_describe_file(struct rsb_machine *machine, const uint64_t arguments[6])
{
	return describe(machine, arguments[0], arguments[1]);
}

int64_t rsb_call_describe_path(struct rsb_machine *machine, const uint64_t arguments[6])
{
	char first;

	if (!rsb_program_read(machine, arguments[1], &first, 1))
		return -EFAULT;
	return first ? -ENOENT : describe(machine, arguments[0], arguments[2]);
}
