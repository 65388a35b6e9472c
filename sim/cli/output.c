/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output that is there whole or not at all. */
#include "sim/cli/output.h"

#include "sim/cli/follow.h"
#include "sim/cli/leftover.h"
#include "traces/util/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX     ".XXXXXX"
#define SPARED_MAX 64 /* more files than a command line names but by operands */
#define WANTED_MAX 16 /* more than it has written, or they are looked at when they are opened */

/* The program's, as the standard streams are: every output of a command spares the same files. */
static char *const *spared;

/* Those that options name. */
static struct identity {
	dev_t device;
	ino_t node;
} read_too[SPARED_MAX];
static size_t read_too_count;

/* What options have it write. */
static struct {
	const void *owner;
	const char *path;
} wanted[WANTED_MAX];
static size_t wanted_count;

void cli_output_spare(char *const *operands)
{
	spared = operands;
}

void cli_output_spare_file(const char *path)
{
	struct stat status;

	if (read_too_count < SPARED_MAX && !stat(path, &status))
		read_too[read_too_count++] = (struct identity){ status.st_dev, status.st_ino };
}

static bool is_spared(const struct stat *status)
{
	struct stat other;

	for (size_t i = 0; i < read_too_count; i++)
		if (read_too[i].device == status->st_dev && read_too[i].node == status->st_ino)
			return true;
	for (char *const *operand = spared; operand && *operand; operand++)
		if (!stat(*operand, &other) && other.st_dev == status->st_dev &&
		    other.st_ino == status->st_ino)
			return true;
	return false;
}

static bool fail(struct cli_output *output, struct rsb_error *error)
{
	return rsb_error_set(error, "%s: %s", output->name, strerror(errno));
}

/* The access that a new file would have, or the one that the file has. */
static mode_t choose_mode(const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	return old ? old->st_mode & 07777 : 0666 & ~mask;
}

static bool open_temporary(struct cli_output *output, const struct stat *old)
{
	size_t size = strlen(output->path) + sizeof(SUFFIX);
	int file;

	output->temporary = malloc(size);
	if (!output->temporary)
		return false;
	snprintf(output->temporary, size, "%s" SUFFIX, output->path);
	file = mkstemp(output->temporary);
	if (file < 0) {
		free(output->temporary);
		output->temporary = NULL;
		return false;
	}
	output->stream = fchmod(file, choose_mode(old)) ? NULL : fdopen(file, "w");
	if (output->stream) {
		cli_leftover_add(output->temporary);
		return true;
	}
	close(file);
	return false;
}

static void forget_temporary(struct cli_output *output)
{
	cli_leftover_forget(output->temporary);
	free(output->temporary);
	output->temporary = NULL;
}

static void discard(struct cli_output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	forget_temporary(output);
	free(output->path);
}

static bool refuse_input(const char *path, struct rsb_error *error)
{
	return rsb_error_set(error, "%s: is read by this command: expected another file to write",
			     path);
}

/* Can the name be given to another file? What is not a file is written itself. */
static bool is_writable(const char *path, const struct stat *there, struct rsb_error *error)
{
	char *place = cli_follow(path, error);
	bool good;

	if (!place)
		return false;
	good = !there || !access(place, W_OK);
	if (there && S_ISSOCK(there->st_mode)) {
		errno = ENXIO;
		good = false;
	}
	if (good && (!there || S_ISREG(there->st_mode))) {
		cli_follow_cut(place);
		good = !access(place, W_OK | X_OK);
	}
	free(place);
	return good || rsb_error_set(error, "%s: %s", path, strerror(errno));
}

bool cli_output_check(const char *path, struct rsb_error *error)
{
	struct stat status;
	bool exists;

	if (!strcmp(path, "-"))
		return true;
	if (!*path)
		return rsb_error_set(error, "expected a file, got ''");
	exists = !stat(path, &status);
	if (exists && S_ISDIR(status.st_mode))
		return rsb_error_set(error, "%s: %s", path, strerror(EISDIR));
	if (exists && S_ISREG(status.st_mode) && is_spared(&status))
		return refuse_input(path, error);
	return is_writable(path, exists ? &status : NULL, error);
}

bool cli_output_want(const void *owner, const char *path, struct rsb_error *error)
{
	size_t i = 0;

	while (i < wanted_count && wanted[i].owner != owner)
		i++;
	if (i < WANTED_MAX) {
		wanted[i].owner = owner;
		wanted[i].path = path;
		wanted_count += i == wanted_count;
	}
	return cli_output_check(path, error);
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Of files that are not there: is it one folder, and one name? */
static bool is_one_place(const char *a, const char *b)
{
	struct rsb_error error;
	char *first = cli_follow(a, &error), *second = cli_follow(b, &error);
	struct stat folders[2];
	bool one = first && second && !strcmp(name_of(first), name_of(second));

	if (one) {
		cli_follow_cut(first);
		cli_follow_cut(second);
		one = !stat(first, &folders[0]) && !stat(second, &folders[1]) &&
		      folders[0].st_dev == folders[1].st_dev &&
		      folders[0].st_ino == folders[1].st_ino;
	}
	free(first);
	free(second);
	return one;
}

/* Of a device or a pipe nothing is lost. */
static bool is_one_file(const char *a, const char *b)
{
	struct stat first, second;
	bool there[] = { !stat(a, &first), !stat(b, &second) };

	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return !strcmp(a, b);
	if (there[0] != there[1] || (there[0] && !S_ISREG(first.st_mode)))
		return false;
	if (!there[0])
		return is_one_place(a, b);
	return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool check_others(const char *path, size_t count, struct rsb_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (is_one_file(path, wanted[i].path))
			return rsb_error_set(error,
					     "%s: would be written twice by this command: expected "
					     "another file",
					     path);
	return true;
}

bool cli_output_check_other(const char *path, struct rsb_error *error)
{
	return check_others(path, wanted_count, error);
}

bool cli_output_check_wanted(struct rsb_error *error)
{
	struct stat status;

	for (size_t i = 0; i < wanted_count; i++) {
		const char *path = wanted[i].path;

		if (strcmp(path, "-") != 0 && !stat(path, &status) && S_ISREG(status.st_mode) &&
		    is_spared(&status))
			return refuse_input(path, error);
		if (!check_others(path, i, error))
			return false;
	}
	return true;
}

bool cli_output_open(struct cli_output *output, const char *path, struct rsb_error *error)
{
	struct stat status;
	bool exists, opened;

	*output = (struct cli_output){ .name = path };
	if (!path || !strcmp(path, "-")) {
		output->name = rsb_scratch_folder();
		output->stream = rsb_scratch_open(error);
		return output->stream != NULL;
	}
	output->path = cli_follow(path, error);
	if (!output->path)
		return false;
	exists = !stat(output->path, &status);
	if (exists && S_ISREG(status.st_mode) && is_spared(&status)) {
		refuse_input(path, error);
		discard(output);
		return false;
	}
	if (exists && !S_ISREG(status.st_mode)) {
		output->stream = fopen(output->path, "w");
		opened = output->stream != NULL;
	} else {
		opened = open_temporary(output, exists ? &status : NULL);
	}
	if (opened)
		return true;
	fail(output, error);
	discard(output);
	return false;
}

static bool copy_to_standard(FILE *from)
{
	char bytes[65536];
	size_t size;

	rewind(from);
	while ((size = fread(bytes, 1, sizeof(bytes), from)))
		if (fwrite(bytes, 1, size, stdout) != size)
			return false;
	return !ferror(from) && !fflush(stdout);
}

bool cli_output_close(struct cli_output *output, bool commit, struct rsb_error *error)
{
	bool good = !ferror(output->stream) && !fflush(output->stream);

	if (good && commit && !output->path) {
		output->name = "standard output";
		good = copy_to_standard(output->stream);
	}
	if (!good)
		fail(output, error);
	if (fclose(output->stream) && good)
		good = fail(output, error);
	if (good && commit && output->temporary) {
		good = !rename(output->temporary, output->path) || fail(output, error);
		if (good)
			forget_temporary(output);
	}
	discard(output);
	return good;
}

bool cli_output_write(const char *path,
		      bool (*write)(FILE *out, const void *thing, struct rsb_error *error),
		      const void *thing, struct rsb_error *error)
{
	struct cli_output output;
	struct rsb_error late;
	bool good;

	if (!cli_output_open(&output, path, error))
		return false;
	good = write(output.stream, thing, error);
	if (!good && ferror(output.stream))
		rsb_error_prefix(error, "%s", output.name);
	/* What went wrong first is what is told. */
	return cli_output_close(&output, good, good ? error : &late) && good;
}
