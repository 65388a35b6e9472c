/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main of a fuzzer built without libFuzzer: feeds it each named file, and each file of a named
 * folder. Without arguments that is its own corpus, so that make check runs it.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	size_t size;

	if (!file) {
		perror(path);
		return -1;
	}
	/* Exactly as large as the input, for a sanitizer to see reads behind its end. */
	data = malloc(INPUT_MAX);
	size = data ? fread(data, 1, INPUT_MAX, file) : 0;
	fclose(file);
	data = realloc(data, size ? size : 1);
	if (!data) {
		fprintf(stderr, "%s: out of memory\n", path);
		return -1;
	}
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

/* Returns how many files were fed, or -1. */
static int feed(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char name[4096];
	int fed = 0;

	if (!folder)
		return errno == ENOTDIR ? feed_file(path) : (perror(path), -1);
	while (fed >= 0 && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		fed = feed_file(name) < 0 ? -1 : fed + 1;
	}
	closedir(folder);
	return fed;
}

/* fuzz_core has its corpus in tests/fuzz/corpus/core. */
static int feed_corpus(const char *program)
{
	const char *file = strrchr(program, '/');
	const char *name = strstr(file ? file : program, "fuzz_");
	const char *top = getenv("srcdir");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", top ? top : ".",
		 name ? name + strlen("fuzz_") : program);
	return feed(path);
}

int main(int argc, char **argv)
{
	int fed = 0;

	if (argc < 2)
		fed = feed_corpus(argv[0]);
	for (int i = 1; i < argc && fed >= 0; i++) {
		int more = feed(argv[i]);

		fed = more < 0 ? -1 : fed + more;
	}
	if (fed <= 0) {
		fprintf(stderr, "%s: %s\n", argv[0], fed ? "stopped" : "no input was found");
		return EXIT_FAILURE;
	}
	printf("%d inputs\n", fed);
	return EXIT_SUCCESS;
}
