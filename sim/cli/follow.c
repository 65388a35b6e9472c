/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows links. realpath() alone follows none to a file that is not there. */
#include "sim/cli/follow.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as Linux follows in a path, path_resolution(7) */

void cli_follow_cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		strcpy(path, ".");
	else
		slash[slash == path] = '\0';
}

/* What a link says, seen from where the link is. NULL: it is no link, or errno. */
static char *read_link(const char *path)
{
	char says[PATH_MAX];
	ssize_t length = readlink(path, says, sizeof(says) - 1);
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size;
	char *target;

	if (length < 0)
		return NULL;
	says[length] = '\0';
	if (*says == '/')
		folder = 0;
	size = folder + (size_t)length + 1;
	target = malloc(size);
	if (target)
		snprintf(target, size, "%.*s%s", (int)folder, path, says);
	return target;
}

/* To a name that is no link: that of a file to make. Takes the path over. NULL: errno. */
static char *follow_to_nothing(char *path)
{
	for (unsigned i = 0; path && i < LINKS_MAX; i++) {
		char *target = read_link(path);

		/* There is nothing of the name, or what only now is there. */
		if (!target && (errno == ENOENT || errno == EINVAL))
			return path;
		free(path);
		if (!target)
			return NULL;
		path = target;
	}
	if (path) {
		free(path);
		errno = ELOOP;
	}
	return NULL;
}

char *cli_follow(const char *path, struct rsb_error *error)
{
	char *followed = realpath(path, NULL);

	if (!followed && errno == ENOENT)
		followed = follow_to_nothing(strdup(path));
	return followed ? followed : rsb_error_null(error, "%s: %s", path, strerror(errno));
}
