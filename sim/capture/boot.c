/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boots a kernel: the files, QEMU, the guest's report, the dump. */
#include "sim/capture/boot_private.h"

#include "sim/capture/guest.h"
#include "sim/capture/qmp.h"
#include "sim/image/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Our process still drains the port when its last line is here. A second later it sleeps, and the
 * processor is idle: what runs is part of what is captured.
 */
#define IDLE_SECONDS 1

const char *const rsb_attach_kinds[] = { "fentry", "fexit", "fmod_ret", NULL };

struct rsb_boot *rsb_boot_new(void)
{
	struct rsb_boot *boot = calloc(1, sizeof(*boot));

	if (boot)
		boot->monitor = -1;
	return boot;
}

/* What is called here must be safe in a signal's handler. */
void rsb_boot_abandon(struct rsb_boot *boot)
{
	rsb_qemu_end(boot);
	if (!boot->made)
		return;
	for (size_t i = 0; i < RSB_BOOT_FILES; i++)
		unlink(boot->files[i]);
	rmdir(boot->folder);
	boot->made = false;
}

void rsb_boot_free(struct rsb_boot *boot)
{
	if (!boot)
		return;
	rsb_boot_abandon(boot);
	if (boot->monitor >= 0)
		close(boot->monitor);
	free(boot);
}

const char *rsb_boot_core(const struct rsb_boot *boot)
{
	return boot->files[RSB_BOOT_MEMORY];
}

const char *rsb_boot_symbols(const struct rsb_boot *boot)
{
	return boot->files[RSB_BOOT_REPORT];
}

static bool make_folder(struct rsb_boot *boot, struct rsb_error *error)
{
	static const char *const names[RSB_BOOT_FILES] = {
		[RSB_BOOT_CONSOLE] = "console", [RSB_BOOT_REPORT] = "report",
		[RSB_BOOT_SAYS] = "says",       [RSB_BOOT_INITRD] = "initrd",
		[RSB_BOOT_MEMORY] = "memory",
	};

	if (!rsb_tool_folder(boot->folder, sizeof(boot->folder), error))
		return false;
	for (size_t i = 0; i < RSB_BOOT_FILES; i++)
		snprintf(boot->files[i], sizeof(boot->files[i]), "%s/%s", boot->folder, names[i]);
	boot->made = true;
	return true;
}

static bool check(const struct rsb_boot_options *options, struct rsb_error *error)
{
	struct stat status;

	if (!rsb_boot_is_built_in())
		return rsb_error_set(error, "rsbsim was built without what boots kernels: it needs "
					    "a static libbpf when it is built (Debian: "
					    "libbpf-dev)");
	if (stat(options->kernel, &status) || access(options->kernel, R_OK))
		return rsb_error_set(error, "%s: cannot be opened: %s", options->kernel,
				     strerror(errno));
	if (!S_ISREG(status.st_mode))
		return rsb_error_set(error, "%s: is not a regular file: expected a bzImage",
				     options->kernel);
	return true;
}

static void tell(const struct rsb_boot_options *options, const char *what)
{
	if (options->progress)
		options->progress(options->context, what);
}

/* Stopped, so that the memory is that of one moment. */
static bool dump(struct rsb_boot *boot, unsigned seconds, struct rsb_error *error)
{
	struct rsb_qmp qmp = { .socket = boot->monitor };

	clock_gettime(CLOCK_MONOTONIC, &qmp.end);
	qmp.end.tv_sec += (time_t)seconds;
	return rsb_qmp_open(&qmp, error) && rsb_qmp_do(&qmp, "stop", NULL, error) &&
	       rsb_qmp_do(&qmp, "dump-guest-memory",
			  "{\"paging\":true,\"protocol\":\"file:memory\"}", error) &&
	       rsb_qmp_do(&qmp, "quit", NULL, error);
}

static bool run(struct rsb_boot *boot, const struct rsb_boot_options *options,
		struct rsb_error *error)
{
	unsigned seconds = options->seconds ? options->seconds : RSB_BOOT_SECONDS;

	if (!rsb_guest_write(boot->files[RSB_BOOT_INITRD], options->attach, options->count,
			     error) ||
	    !rsb_qemu_start(boot, options, error))
		return false;
	tell(options, "the kernel boots");
	if (!rsb_qemu_await(boot, seconds, error) ||
	    !rsb_report_read(boot->files[RSB_BOOT_REPORT], error))
		return false;
	sleep(IDLE_SECONDS);
	tell(options, "its memory is dumped");
	return dump(boot, seconds, error);
}

bool rsb_boot_run(struct rsb_boot *boot, const struct rsb_boot_options *options,
		  struct rsb_error *error)
{
	bool good;

	if (!check(options, error) || !make_folder(boot, error))
		return false;
	good = run(boot, options, error);
	rsb_qemu_end(boot);
	return good || rsb_error_prefix(error, "%s", options->kernel);
}
