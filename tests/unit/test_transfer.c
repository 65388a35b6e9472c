/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86-64 transfer table, as rows of bytes with their assembly beside them (encodings: Intel SDM
 * volume 2, appendix A), and against Capstone on random bytes.
 */
#include "tests/unit/unit.h"
#include "traces/transfer.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

#define PC       UINT64_C(0x401000)
#define ROWS(of) (sizeof(of) / sizeof((of)[0]))

struct row {
	const char *assembly;
	const char *bytes;
	enum rsb_kind kind;
	uint8_t flags;
	uint64_t target; /* 0: the bytes do not say */
};

static const struct row transfers[] = {
	{ "call .+5", "e8 00 00 00 00", RSB_CALL, RSB_SITE_ZERO_CALL, 0x401005 },
	{ "call .+6", "e8 01 00 00 00", RSB_CALL, 0, 0x401006 },
	{ "call .-0x1000", "e8 fb ef ff ff", RSB_CALL, 0, 0x400000 },
	{ "data16 call", "66 e8 00 02", RSB_CALL, 0, 0x1204 },
	{ "data16 call, as Intel reads it", "66 e8 00 02 00 00", RSB_CALL, 0, 0x401206 },
	{ "data16 rex.w call .+7", "66 48 e8 00 00 00 00", RSB_CALL, RSB_SITE_ZERO_CALL, 0x401007 },
	{ "bnd call", "f2 e8 10 00 00 00", RSB_CALL, 0, 0x401016 },
	{ "cs call", "2e e8 10 00 00 00", RSB_CALL, 0, 0x401016 },
	{ "call rax", "ff d0", RSB_CALL, RSB_SITE_INDIRECT, 0 },
	{ "call r11", "41 ff d3", RSB_CALL, RSB_SITE_INDIRECT, 0 },
	{ "notrack call rax", "3e ff d0", RSB_CALL, RSB_SITE_INDIRECT, 0 },
	{ "call [rip+0x10]", "ff 15 10 00 00 00", RSB_CALL, RSB_SITE_INDIRECT, 0 },
	{ "call gs:[rip+0x10]", "65 ff 15 10 00 00 00", RSB_CALL, RSB_SITE_INDIRECT, 0 },
	{ "call far [rax]", "ff 18", RSB_CALL_FAR, RSB_SITE_INDIRECT, 0 },
	{ "rex.w call far [rax]", "48 ff 18", RSB_CALL_FAR, RSB_SITE_INDIRECT, 0 },
	{ "ret", "c3", RSB_RETURN, 0, 0 },
	{ "ret 8", "c2 08 00", RSB_RETURN, 0, 0 },
	{ "rep ret", "f3 c3", RSB_RETURN, 0, 0 },
	{ "bnd ret", "f2 c3", RSB_RETURN, 0, 0 },
	{ "data16 ret", "66 c3", RSB_RETURN, 0, 0 },
	{ "cs cs cs ret", "2e 2e 2e c3", RSB_RETURN, 0, 0 },
	{ "retf", "cb", RSB_RETURN_FAR, 0, 0 },
	{ "retf 8", "ca 08 00", RSB_RETURN_FAR, 0, 0 },
	{ "retfq", "48 cb", RSB_RETURN_FAR, 0, 0 },
	{ "jmp .+2", "eb 00", RSB_JUMP, 0, 0x401002 },
	{ "jmp .", "eb fe", RSB_JUMP, 0, 0x401000 },
	{ "jmp .+5", "e9 00 00 00 00", RSB_JUMP, 0, 0x401005 },
	{ "bnd jmp", "f2 e9 10 00 00 00", RSB_JUMP, 0, 0x401016 },
	{ "data16 jmp rel8", "66 eb 10", RSB_JUMP, 0, 0x1013 },
	{ "data16 rex.w jmp rel8", "66 48 eb 10", RSB_JUMP, 0, 0x401014 },
	{ "data16 jmp rel16", "66 e9 10 00", RSB_JUMP, 0, 0x1014 },
	{ "rex.w and data16 in vain, jmp", "48 66 e9 10 00", RSB_JUMP, 0, 0x1015 },
	{ "jmp rax", "ff e0", RSB_JUMP_INDIRECT, 0, 0 },
	{ "notrack jmp rax", "3e ff e0", RSB_JUMP_INDIRECT, 0, 0 },
	{ "jmp r10", "41 ff e2", RSB_JUMP_INDIRECT, 0, 0 },
	{ "jmp [rax*8+0x10]", "ff 24 c5 10 00 00 00", RSB_JUMP_INDIRECT, 0, 0 },
	{ "jmp [eax]", "67 ff 20", RSB_JUMP_INDIRECT, 0, 0 },
	{ "jmp far [rax]", "ff 28", RSB_JUMP_INDIRECT, 0, 0 },
	{ "jo .+0x12", "70 10", RSB_BRANCH_TAKEN, 0, 0x401012 },
	{ "jg .", "7f fe", RSB_BRANCH_TAKEN, 0, 0x401000 },
	{ "jne, hinted not taken", "2e 75 10", RSB_BRANCH_TAKEN, 0, 0x401013 },
	{ "jne, hinted taken", "3e 75 10", RSB_BRANCH_TAKEN, 0, 0x401013 },
	{ "data16 je", "66 74 10", RSB_BRANCH_TAKEN, 0, 0x1013 },
	{ "jo rel32", "0f 80 10 00 00 00", RSB_BRANCH_TAKEN, 0, 0x401016 },
	{ "jg rel32", "0f 8f fa ff ff ff", RSB_BRANCH_TAKEN, 0, 0x401000 },
	{ "data16 je rel16", "66 0f 84 10 00", RSB_BRANCH_TAKEN, 0, 0x1015 },
	{ "loopne", "e0 fe", RSB_BRANCH_TAKEN, 0, 0x401000 },
	{ "loope", "e1 fe", RSB_BRANCH_TAKEN, 0, 0x401000 },
	{ "loop", "e2 fe", RSB_BRANCH_TAKEN, 0, 0x401000 },
	{ "jrcxz", "e3 10", RSB_BRANCH_TAKEN, 0, 0x401012 },
	{ "jecxz", "67 e3 10", RSB_BRANCH_TAKEN, 0, 0x401013 },
	{ "xbegin", "c7 f8 10 00 00 00", RSB_BRANCH_TAKEN, 0, 0x401016 },
	{ "data16 xbegin", "66 c7 f8 10 00", RSB_BRANCH_TAKEN, 0, 0x401015 },
	{ "syscall", "0f 05", RSB_SYSCALL, 0, 0 },
	{ "sysenter", "0f 34", RSB_SYSCALL, 0, 0 },
	{ "sysretl", "0f 07", RSB_SYSRET, 0, 0 },
	{ "sysretq", "48 0f 07", RSB_SYSRET, 0, 0 },
	{ "sysexit", "0f 35", RSB_SYSRET, 0, 0 },
	{ "int3", "cc", RSB_INTERRUPT, 0, 0 },
	{ "int 3", "cd 03", RSB_INTERRUPT, 0, 0 },
	{ "int 0x80", "cd 80", RSB_INTERRUPT, 0, 0 },
	{ "int1", "f1", RSB_INTERRUPT, 0, 0 },
	{ "iretd", "cf", RSB_IRET, 0, 0 },
	{ "iretq", "48 cf", RSB_IRET, 0, 0 },
	{ "uiret", "f3 0f 01 ec", RSB_IRET, 0, 0 },
	{ "eretu", "f3 0f 01 ca", RSB_IRET, 0, 0 },
	{ "erets", "f2 0f 01 ca", RSB_IRET, 0, 0 },
};

static const struct row others[] = {
	{ .assembly = "nop", .bytes = "90" },
	{ .assembly = "endbr64", .bytes = "f3 0f 1e fa" },
	{ .assembly = "hlt", .bytes = "f4" },
	{ .assembly = "ud2", .bytes = "0f 0b" },
	{ .assembly = "rep movsb", .bytes = "f3 a4" },
	{ .assembly = "rep stosq", .bytes = "f3 48 ab" },
	{ .assembly = "inc eax", .bytes = "ff c0" },
	{ .assembly = "dec [rax]", .bytes = "ff 08" },
	{ .assembly = "push [rax]", .bytes = "ff 30" },
	{ .assembly = "mov eax, 0xc3c3c3c3", .bytes = "b8 c3 c3 c3 c3" },
	{ .assembly = "mov [rax], 0", .bytes = "c7 00 00 00 00 00" },
	{ .assembly = "mov r8d, 0", .bytes = "41 c7 c0 00 00 00 00" },
	{ .assembly = "xabort 0x10", .bytes = "c6 f8 10" },
	{ .assembly = "xend", .bytes = "0f 01 d5" },
	{ .assembly = "clac", .bytes = "0f 01 ca" },
	{ .assembly = "swapgs", .bytes = "0f 01 f8" },
	{ .assembly = "rdpkru", .bytes = "0f 01 ee" },
	{ .assembly = "sete al", .bytes = "0f 94 c0" },
	{ .assembly = "xadd [rax], eax", .bytes = "0f c1 00" },
	{ .assembly = "movnti [rax], eax", .bytes = "0f c3 00" },
	{ .assembly = "bswap ebx", .bytes = "0f cb" },
	{ .assembly = "psubsb mm0, mm0", .bytes = "0f e8 c0" },
	/* The maps 0f 38 and 0f 3a hold the bytes of near jumps too. */
	{ .assembly = "pshufb mm0, mm0", .bytes = "0f 38 00 c0" },
	{ .assembly = "invept rax, [rax]", .bytes = "66 0f 38 80 00" },
	{ .assembly = "sha1nexte xmm0, xmm0", .bytes = "0f 38 c8 c0" },
	{ .assembly = "sha256rnds2 xmm0, xmm0", .bytes = "0f 38 cb c0" },
	{ .assembly = "sha1rnds4 xmm0, xmm0, 0", .bytes = "0f 3a cc c0 00" },
	/* VEX and EVEX: their opcodes are in maps of their own. */
	{ .assembly = "vzeroupper", .bytes = "c5 f8 77" },
	{ .assembly = "vpcmpeqb xmm0, xmm0, xmm0", .bytes = "c5 f9 74 c0" },
	{ .assembly = "vpsubsb xmm0, xmm0, xmm0", .bytes = "c5 f9 e8 c0" },
	{ .assembly = "vpshufb xmm0, xmm0, xmm0", .bytes = "c4 e2 79 00 c0" },
	{ .assembly = "andn eax, eax, eax", .bytes = "c4 e2 78 f2 c0" },
	{ .assembly = "vpermt2d zmm0, zmm0, zmm0", .bytes = "62 f2 7d 48 7e c0" },
	{ .assembly = "vpxord zmm0, zmm0, zmm0", .bytes = "62 f1 7d 48 ef c0" },
};

static size_t read_bytes(const char *text, uint8_t *bytes)
{
	size_t length = 0;
	char *end;

	for (; *text; text = end)
		bytes[length++] = (uint8_t)strtoul(text, &end, 16);
	return length;
}

static struct rsb_transfer classify(const struct row *row)
{
	uint8_t bytes[16];
	size_t length = read_bytes(row->bytes, bytes);

	return rsb_transfer_x86_64(bytes, length, PC);
}

static bool is_conditional(enum rsb_kind kind)
{
	return kind == RSB_BRANCH_TAKEN;
}

/* Each row of the table is classified as it says. */
START_TEST(classifies_transfers)
{
	for (size_t i = 0; i < ROWS(transfers); i++) {
		const struct row *row = &transfers[i];
		struct rsb_transfer transfer = classify(row);

		ck_assert_msg(transfer.transfers, "%s", row->assembly);
		ck_assert_msg(transfer.kind == row->kind, "%s: %s", row->assembly,
			      rsb_kind_name(transfer.kind));
		ck_assert_msg(transfer.flags == row->flags, "%s: %x", row->assembly,
			      transfer.flags);
		ck_assert_msg(transfer.conditional == is_conditional(row->kind), "%s",
			      row->assembly);
		ck_assert_msg(transfer.direct == (row->target != 0), "%s", row->assembly);
		ck_assert_msg(transfer.target == row->target, "%s: %#llx", row->assembly,
			      (unsigned long long)transfer.target);
	}
}
END_TEST

/* What falls through always is not taken for a transfer, whatever bytes it is made of. */
START_TEST(leaves_the_others)
{
	for (size_t i = 0; i < ROWS(others); i++)
		ck_assert_msg(!classify(&others[i]).transfers, "%s", others[i].assembly);
}
END_TEST

/* A target wraps around at the end of the address space. */
START_TEST(wraps_targets)
{
	const uint8_t jump[] = { 0xe9, 0x00, 0x01, 0x00, 0x00 };

	ck_assert_uint_eq(rsb_transfer_x86_64(jump, 5, UINT64_C(0xfffffffffffffff0)).target, 0xf5);
}
END_TEST

/* Bytes that end too early are no transfer, and none is read beyond the length. */
START_TEST(reads_within_the_length)
{
	for (size_t i = 0; i < ROWS(transfers); i++) {
		uint8_t bytes[16];
		size_t length = read_bytes(transfers[i].bytes, bytes);

		for (size_t part = 0; part < length; part++) {
			uint8_t *copy = malloc(part + 1);

			ck_assert_ptr_nonnull(copy);
			for (size_t at = 0; at < part; at++)
				copy[at + 1] = bytes[at];
			rsb_transfer_x86_64(copy + 1, part, PC);
			free(copy);
		}
	}
	ck_assert(!rsb_transfer_x86_64((const uint8_t *)"\xff", 1, PC).transfers);
	ck_assert(!rsb_transfer_x86_64((const uint8_t *)"\x0f", 1, PC).transfers);
	ck_assert(!rsb_transfer_x86_64((const uint8_t *)"\xe8", 1, PC).transfers);
	ck_assert(!rsb_transfer_x86_64((const uint8_t *)"\xc7\xf8", 2, PC).transfers);
	ck_assert(!rsb_transfer_x86_64((const uint8_t *)"\x66", 1, PC).transfers);
}
END_TEST

/* Which of Capstone's groups each kind belongs to; 0: to none. */
static const uint8_t group_of_kind[RSB_KINDS] = {
	[RSB_CALL] = CS_GRP_CALL,         [RSB_CALL_FAR] = CS_GRP_CALL,
	[RSB_RETURN] = CS_GRP_RET,        [RSB_RETURN_FAR] = CS_GRP_RET,
	[RSB_JUMP] = CS_GRP_JUMP,         [RSB_JUMP_INDIRECT] = CS_GRP_JUMP,
	[RSB_BRANCH_TAKEN] = CS_GRP_JUMP, [RSB_INTERRUPT] = CS_GRP_INT,
	[RSB_SYSCALL] = CS_GRP_INT,       [RSB_IRET] = CS_GRP_IRET,
	[RSB_SYSRET] = CS_GRP_IRET,
};

/* Capstone 4.0.2 has no JUMP group for these, which jump, and decodes eretu as clac. */
static bool is_misjudged(unsigned id)
{
	return id == X86_INS_LOOP || id == X86_INS_LOOPE || id == X86_INS_LOOPNE ||
	       id == X86_INS_CLAC;
}

static uint8_t group_of(csh capstone, const cs_insn *instruction)
{
	static const uint8_t groups[] = { CS_GRP_CALL, CS_GRP_RET, CS_GRP_IRET, CS_GRP_INT,
					  CS_GRP_JUMP };

	for (size_t i = 0; i < sizeof(groups); i++) {
		if (cs_insn_group(capstone, instruction, groups[i]))
			return groups[i];
	}
	return 0;
}

/* xorshift64: the same bytes on each machine. */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Random bytes, often begun by what matters here: prefixes, the escape, opcodes. */
static void draw_bytes(uint64_t *state, uint8_t bytes[16])
{
	static const uint8_t begins[] = { 0x66, 0xf2, 0xf3, 0x3e, 0x41, 0x48, 0x0f, 0xff,
					  0xe8, 0xc7, 0x70, 0xe0, 0xc2, 0xca, 0xcd, 0xc5 };
	uint64_t bits = draw(state);
	size_t at = 0;

	for (; at < 16; at += 8) {
		uint64_t random = draw(state);

		for (size_t i = 0; i < 8; i++)
			bytes[at + i] = (uint8_t)(random >> (8 * i));
	}
	for (at = 0; at < 3 && (bits & 3) != 0; at++, bits >>= 8)
		bytes[at] = (uint8_t)(begins[bits >> 4 & 0xf] + (bits >> 2 & 3));
}

/* Do the table and Capstone say the same of this instruction? */
static bool agrees(csh capstone, const cs_insn *instruction)
{
	struct rsb_transfer transfer =
		rsb_transfer_x86_64(instruction->bytes, instruction->size, PC);
	uint8_t group = transfer.transfers ? group_of_kind[transfer.kind] : 0;
	const cs_x86 *x86 = &instruction->detail->x86;

	if (group != group_of(capstone, instruction))
		return false;
	/* Capstone leaves the target of 66 eb whole, and reads 67 48 e9 as if 66 stood there. */
	if (!transfer.direct || x86->prefix[2] || x86->prefix[3])
		return true;
	return transfer.target == (uint64_t)x86->operands[0].imm;
}

/* On random instructions the table and Capstone agree, except where Capstone is known wrong. */
START_TEST(agrees_with_capstone)
{
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
	size_t compared = 0;
	csh capstone;
	cs_insn *instruction;

	ck_assert_int_eq(cs_open(CS_ARCH_X86, CS_MODE_64, &capstone), CS_ERR_OK);
	cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
	instruction = cs_malloc(capstone);
	for (size_t i = 0; i < 200000; i++) {
		uint8_t bytes[16];
		const uint8_t *code = bytes;
		size_t size = sizeof(bytes);
		uint64_t pc = PC;

		draw_bytes(&state, bytes);
		if (!cs_disasm_iter(capstone, &code, &size, &pc, instruction) ||
		    is_misjudged(instruction->id))
			continue;
		compared++;
		if (!agrees(capstone, instruction))
			ck_abort_msg("%s %s", instruction->mnemonic, instruction->op_str);
	}
	cs_free(instruction, 1);
	cs_close(&capstone);
	ck_assert_uint_gt(compared, 100000);
}
END_TEST

UNIT_MAIN("x86-64 transfers", classifies_transfers, leaves_the_others, wraps_targets,
	  reads_within_the_length, agrees_with_capstone)
