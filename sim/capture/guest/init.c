/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only process of the guest that rsbsim capture --kernel boots: attaches BPF programs as
 * /attach says, tells the kernel's symbols on the second serial port, and waits to be dumped.
 *
 * /attach has lines "KIND FUNCTION", KIND being fentry, fexit or fmod_ret. What is told (see
 * sim/capture/guest.h) has lines "failed KIND FUNCTION ERRNO TEXT", then, if there are none, those
 * of /proc/kallsyms; in any case, an empty line and the line "done".
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#define PORT_MAJOR \
	4 /* of ttyS, whose minor numbers begin at 64 (Documentation/admin-guide/devices.txt) */
#define PORT_MINOR 65

struct kind {
	const char *name;
	enum bpf_attach_type type;
};

static const struct kind kinds[] = {
	{ "fentry", BPF_TRACE_FENTRY },
	{ "fexit", BPF_TRACE_FEXIT },
	{ "fmod_ret", BPF_MODIFY_RETURN },
};

/* Nothing that is told may be changed on the way. */
static FILE *open_port(void)
{
	struct termios mode;
	FILE *port;

	mkdir("/dev", 0755);
	mknod("/dev/report", S_IFCHR | 0600, makedev(PORT_MAJOR, PORT_MINOR));
	port = fopen("/dev/report", "w");
	if (port && !tcgetattr(fileno(port), &mode)) {
		cfmakeraw(&mode);
		cfsetspeed(&mode, B115200);
		tcsetattr(fileno(port), TCSANOW, &mode);
	}
	return port;
}

static void show_addresses(void)
{
	FILE *file = fopen("/proc/sys/kernel/kptr_restrict", "w");

	if (!file)
		return;
	fputs("0", file);
	fclose(file);
}

static int print_nothing(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	(void)format;
	(void)arguments;
	return 0;
}

/* A program that returns 0, which lets fmod_ret go on to the function. */
static int load(const struct kind *kind, const char *function)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = kind->type);
	int id = libbpf_find_vmlinux_btf_id(function, kind->type);

	if (id < 0)
		return id;
	options.attach_btf_id = (__u32)id;
	return bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", program,
			     sizeof(program) / sizeof(*program), &options);
}

/* Returns 0, or an errno. The program stays attached as long as its link is open. */
static int attach(const char *name, const char *function)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		int program, link;

		if (strcmp(kinds[i].name, name) != 0)
			continue;
		program = load(&kinds[i], function);
		if (program < 0)
			return -program;
		link = bpf_raw_tracepoint_open(NULL, program);
		return link < 0 ? -link : 0;
	}
	return EINVAL;
}

/* Returns how many failed. */
static int attach_all(FILE *port)
{
	FILE *list = fopen("/attach", "r");
	char name[16], function[256];
	int failed = 0;

	while (list && fscanf(list, "%15s %255s", name, function) == 2) {
		int error = attach(name, function);

		if (!error)
			continue;
		fprintf(port, "failed %s %s %d %s\n", name, function, error, strerror(error));
		failed++;
	}
	return failed;
}

static void tell_symbols(FILE *port)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char bytes[65536];
	size_t size;

	while (file && (size = fread(bytes, 1, sizeof(bytes), file)))
		fwrite(bytes, 1, size, port);
}

int main(void)
{
	FILE *port;

	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	port = open_port();
	if (port) {
		libbpf_set_print(print_nothing);
		libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
		show_addresses();
		if (!attach_all(port))
			tell_symbols(port);
		fputs("\ndone\n", port);
		fflush(port);
		tcdrain(fileno(port));
	}
	for (;;)
		pause();
}
