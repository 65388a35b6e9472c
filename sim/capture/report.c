/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the guest's process tells (sim/capture/guest/init.c), and what the kernel and QEMU say. */
#include "sim/capture/boot_private.h"

#include "traces/util/clean.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last one is a line of its own: there are symbols whose names end so (__do_once_done). */
static const char last_lines[] = "\ndone\n";

#define LAST (sizeof(last_lines) - 1)

bool rsb_report_is_whole(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char end[LAST];
	struct stat status;
	bool whole;

	if (file < 0)
		return false;
	whole = !fstat(file, &status) && status.st_size >= (off_t)LAST &&
		pread(file, end, LAST, status.st_size - (off_t)LAST) == (ssize_t)LAST &&
		memcmp(end, last_lines, LAST) == 0;
	close(file);
	return whole;
}

/* Why a program could not be attached; what the kernel answers alone is hard to read. */
static const char *explain(int failure)
{
	switch (failure) {
	case ESRCH:
		return "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF)";
	case ENOENT:
		return "the kernel's BTF has no such function, or it cannot be traced";
	case ENOSYS:
		return "the kernel has no BPF (CONFIG_BPF_SYSCALL)";
	case EINVAL:
		return "the kernel does not take such a program there";
	default:
		return NULL;
	}
}

/* The line "failed KIND FUNCTION ERRNO TEXT". */
static bool refuse(char *line, struct rsb_error *error)
{
	char kind[32], function[300];
	int failure, at = 0;

	line[strcspn(line, "\r\n")] = '\0';
	rsb_clean(line);
	if (sscanf(line, "failed %31s %299s %d %n", kind, function, &failure, &at) < 3 || !at)
		return rsb_error_set(error, "a program could not be attached: %s", line);
	return rsb_error_set(error, "%s:%s cannot be attached: %s (errno %d, %s)", kind, function,
			     explain(failure) ? explain(failure) : "the kernel refuses it", failure,
			     line + at);
}

bool rsb_report_read(const char *path, struct rsb_error *error)
{
	FILE *file = fopen(path, "r+");
	char line[1024];
	struct stat status;
	bool good = true;

	if (!file)
		return rsb_error_set(error, "%s: %s", path, strerror(errno));
	if (fgets(line, sizeof(line), file) && !strncmp(line, "failed ", 7))
		good = refuse(line, error);
	else if (fstat(fileno(file), &status) ||
		 ftruncate(fileno(file), status.st_size - (off_t)LAST))
		good = rsb_error_set(error, "%s: %s", path, strerror(errno));
	fclose(file);
	return good;
}

void rsb_report_last_words(const char *path, const char *word, char *out, size_t size)
{
	FILE *file = fopen(path, "r");
	bool found = false;
	char line[1024];

	out[0] = '\0';
	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = '\0';
		found = strstr(line, word) && !strstr(line, "warning: ");
		if (found || line[strspn(line, " \t")])
			snprintf(out, size, "%s", rsb_clean(line));
	}
	if (file)
		fclose(file);
}
