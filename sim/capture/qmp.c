/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Talks to QEMU. */
#include "sim/capture/qmp.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int milliseconds_left(const struct rsb_qmp *qmp)
{
	struct timespec now;
	time_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = qmp->end.tv_sec - now.tv_sec;
	return left > 0 ? (int)(left > 3600 ? 3600 : left) * 1000 : 0;
}

/* More of the line; false: there is none. */
static bool receive(struct rsb_qmp *qmp, struct rsb_error *error)
{
	struct pollfd wait = { .fd = qmp->socket, .events = POLLIN };
	ssize_t got = -1;
	int ready;

	if (qmp->used == sizeof(qmp->line) - 1)
		return rsb_error_set(error, "QEMU's monitor: a line is too long");
	do {
		ready = poll(&wait, 1, milliseconds_left(qmp));
		if (ready > 0)
			got = read(qmp->socket, qmp->line + qmp->used,
				   sizeof(qmp->line) - 1 - qmp->used);
	} while ((ready < 0 || (ready && got < 0)) && errno == EINTR);
	if (!ready)
		return rsb_error_set(error, "QEMU's monitor does not answer");
	if (got <= 0)
		return rsb_error_set(error, "QEMU's monitor ended");
	qmp->used += (size_t)got;
	qmp->line[qmp->used] = '\0';
	return true;
}

/* The next object; NULL: error. */
static cJSON *take(struct rsb_qmp *qmp, struct rsb_error *error)
{
	cJSON *object;
	char *end;

	qmp->line[qmp->used] = '\0';
	while (!(end = strchr(qmp->line, '\n')))
		if (!receive(qmp, error))
			return NULL;
	*end++ = '\0';
	object = cJSON_Parse(qmp->line);
	qmp->used -= (size_t)(end - qmp->line);
	memmove(qmp->line, end, qmp->used);
	if (!object)
		rsb_error_set(error, "QEMU's monitor: expected JSON");
	return object;
}

/* Waits for an object with this key, or one that tells of an error; events are passed over. */
static bool await(struct rsb_qmp *qmp, const char *key, struct rsb_error *error)
{
	for (;;) {
		cJSON *object = take(qmp, error);
		const cJSON *failure = cJSON_GetObjectItem(object, "error");
		const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(failure, "desc"));
		bool found = cJSON_HasObjectItem(object, key);

		if (object && failure)
			rsb_error_set(error, "QEMU: %s", text ? text : "an error");
		cJSON_Delete(object);
		if (found || failure || !object)
			return found;
	}
}

bool rsb_qmp_do(struct rsb_qmp *qmp, const char *command, const char *arguments,
		struct rsb_error *error)
{
	char text[512];
	int size = snprintf(text, sizeof(text), "{\"execute\":\"%s\"%s%s}\n", command,
			    arguments ? ",\"arguments\":" : "", arguments ? arguments : "");

	if (send(qmp->socket, text, (size_t)size, MSG_NOSIGNAL) != size)
		return rsb_error_set(error, "QEMU's monitor: %s", strerror(errno));
	return await(qmp, "return", error) || rsb_error_prefix(error, "%s", command);
}

bool rsb_qmp_open(struct rsb_qmp *qmp, struct rsb_error *error)
{
	qmp->used = 0;
	return await(qmp, "QMP", error) && rsb_qmp_do(qmp, "qmp_capabilities", NULL, error);
}
