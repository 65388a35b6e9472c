/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a BPF trampoline. */
#include "sim/generate/bpf_trampoline.h"

#include <stdio.h>

static const char *name_of(enum rsb_bpf_kind kind, unsigned number, char *out, size_t size)
{
	static const char *const kinds[] = {
		[RSB_BPF_OPERATION] = "struct_ops", [RSB_BPF_FENTRY] = "fentry",
		[RSB_BPF_FMOD_RET] = "fmod_ret",    [RSB_BPF_FEXIT] = "fexit",
		[RSB_BPF_FSESSION] = "fsession",
	};

	snprintf(out, size, "bpf_prog_%s_%u", kinds[kind], number + 1);
	return out;
}

rsb_label rsb_bpf_program(struct rsb_code *code, enum rsb_bpf_kind kind, unsigned number)
{
	char name[32];

	return rsb_code_named(code, name_of(kind, number, name, sizeof(name)));
}

void rsb_bpf_programs_emit(struct rsb_code *code, const struct rsb_bpf_trampoline *trampoline,
			   enum rsb_bpf_kind kind, const struct rsb_bpf_program *program)
{
	char name[32];

	for (unsigned i = 0; i < trampoline->programs[kind]; i++)
		rsb_bpf_program_emit(code, name_of(kind, i, name, sizeof(name)), program);
}
