/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots: is a later moment the same as an earlier one? The steady state rests on it. */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

static struct rsb_snapshot *take(const struct guest *guest, struct rsb_snapshot *old)
{
	struct rsb_snapshot *snapshot = rsb_machine_snapshot(guest->machine, old);

	ck_assert_ptr_nonnull(snapshot);
	return snapshot;
}

/* Whether the second of two rounds leaves what the first one left. */
static bool settles(struct guest guest)
{
	struct rsb_snapshot *snapshot;
	bool same;

	guest_run(&guest);
	snapshot = take(&guest, NULL);
	ck_assert(rsb_machine_same(guest.machine, snapshot));
	guest_run(&guest);
	same = rsb_machine_same(guest.machine, snapshot);
	rsb_snapshot_free(snapshot);
	guest_free(&guest);
	return same;
}

/*
 * A round that leaves no trace is the same; what is dead below the stack pointer is written alike.
 */
START_TEST(a_plain_round_settles)
{
	ck_assert(settles(GUEST(GUEST_CODE,
		0x50,	  /* push rax */
		0x58,	  /* pop rax */
		0xc3)));  /* ret */
}
END_TEST

/* Each kind of register counts. */
START_TEST(registers_are_compared)
{
	ck_assert(!settles(GUEST(GUEST_CODE,
		0x49, 0xff, 0xc7, /* inc r15 */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE, /* the flags alone: the direction flag turns */
		0x9c,					    /* pushfq */
		0x81, 0x34, 0x24, 0x00, 0x04, 0x00, 0x00,   /* xor dword [rsp], 0x400 */
		0x9d,					    /* popfq */
		0xc7, 0x44, 0x24, 0xf8, 0x00, 0x00, 0x00, 0x00, /* mov dword [rsp - 8], 0 */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0x66, 0x0f, 0x76, 0xc9, /* pcmpeqd xmm1, xmm1: all ones */
		0x66, 0x0f, 0xfa, 0xc1, /* psubd xmm0, xmm1 */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0xd9, 0xe8, /* fld1 */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0xd9, 0xf7, /* fincstp */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0xd9, 0x7c, 0x24, 0xf8,				/* fnstcw [rsp - 8] */
		0x81, 0x74, 0x24, 0xf8, 0x00, 0x04, 0x00, 0x00, /* xor dword [rsp - 8], 0x400 */
		0xd9, 0x6c, 0x24, 0xf8,				/* fldcw [rsp - 8] */
		0xc7, 0x44, 0x24, 0xf8, 0x00, 0x00, 0x00, 0x00, /* mov dword [rsp - 8], 0 */
		0x31, 0xc0,					/* xor eax, eax: the flags */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0x0f, 0xae, 0x5c, 0x24, 0xf8,			/* stmxcsr [rsp - 8] */
		0x81, 0x74, 0x24, 0xf8, 0x00, 0x80, 0x00, 0x00, /* xor dword [rsp - 8], 0x8000 */
		0x0f, 0xae, 0x54, 0x24, 0xf8,			/* ldmxcsr [rsp - 8] */
		0xc7, 0x44, 0x24, 0xf8, 0x00, 0x00, 0x00, 0x00, /* mov dword [rsp - 8], 0 */
		0x31, 0xc0,					/* xor eax, eax: the flags */
		0xc3)));
	ck_assert(!settles(GUEST(GUEST_CODE,
		0x0f, 0x20, 0xd8,	/* mov rax, cr3 */
		0x48, 0x05, 0x00, 0x10, 0x00, 0x00, /* add rax, 4096 */
		0x0f, 0x22, 0xd8,	/* mov cr3, rax */
		0x31, 0xc0,		/* xor eax, eax */
		0xc3)));
}
END_TEST

/* swapgs exchanges two bases: a round apart they differ, two rounds apart they do not. */
START_TEST(both_gs_bases_are_compared)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x0f, 0x01, 0xf8, /* swapgs */
		0xc3);
	struct rsb_snapshot *snapshot;

	rsb_image_set_gs_base(guest.image, GUEST_DATA);
	guest_run(&guest);
	snapshot = take(&guest, NULL);
	guest_run(&guest);
	ck_assert(!rsb_machine_same(guest.machine, snapshot));
	guest_run(&guest);
	ck_assert(rsb_machine_same(guest.machine, snapshot));
	rsb_snapshot_free(snapshot);
	guest_free(&guest);
}
END_TEST

/* The hidden one alone: wrmsr writes KernelGSbase from a counter that is put back. */
START_TEST(the_hidden_gs_base_is_compared)
{
	ck_assert(!settles(GUEST(GUEST_CODE,
		0xb9, 0x02, 0x01, 0x00, 0xc0, /* mov ecx, 0xc0000102 */
		0x0f, 0x32,		      /* rdmsr */
		0xff, 0xc0,		      /* inc eax */
		0x0f, 0x30,		      /* wrmsr */
		0x31, 0xc0,		      /* xor eax, eax */
		0xc3)));
}
END_TEST

/* Memory counts, by words, wherever it is. */
START_TEST(memory_is_compared)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xff, 0x04, 0x25, 0x10, 0x00, 0x50, 0x00, /* inc dword [data + 16] */
		0xff, 0x04, 0x25, 0x24, 0x00, 0x50, 0x00, /* inc dword [data + 36] */
		0x31, 0xc0,				  /* xor eax, eax */
		0xc3);
	struct rsb_snapshot *snapshot;
	uint64_t words[4] = { 0 };

	guest_run(&guest);
	snapshot = take(&guest, NULL);
	ck_assert_uint_eq(rsb_machine_changes(guest.machine, snapshot, words, 4), 0);
	guest_run(&guest);
	ck_assert(!rsb_machine_same(guest.machine, snapshot));
	ck_assert_uint_eq(rsb_machine_changes(guest.machine, snapshot, words, 4), 2);
	ck_assert_uint_eq(words[0], GUEST_DATA + 16);
	ck_assert_uint_eq(words[1], GUEST_DATA + 32);
	/* All are counted, and no more are written than there is room for. */
	words[1] = 0;
	ck_assert_uint_eq(rsb_machine_changes(guest.machine, snapshot, words, 1), 2);
	ck_assert_uint_eq(words[1], 0);
	/* Taken again into the old one, it is of now. */
	snapshot = take(&guest, snapshot);
	ck_assert(rsb_machine_same(guest.machine, snapshot));
	rsb_snapshot_free(snapshot);
	guest_free(&guest);
}
END_TEST

/*
 * A page touched since the snapshot is compared with the image's: the second round only reads one,
 * which is no change; the third writes a word of it. The counter in the data changes in each.
 */
START_TEST(pages_touched_later_are_compared_with_the_image)
{
	static const uint64_t word = 7;
	struct guest guest = GUEST(GUEST_CODE,
		0xff, 0x04, 0x25, 0x00, 0x00, 0x50, 0x00,	/* 401100 inc dword [data] */
		0x83, 0x3c, 0x25, 0x00, 0x00, 0x50, 0x00, 0x02, /* 401107 cmp dword [data], 2 */
		0x72, 0x10,					/* 40110f jb 401121 */
		0x8b, 0x0c, 0x25, 0x00, 0x00, 0x60, 0x00,	/* 401111 mov ecx, [600000] */
		0x74, 0x07,					/* 401118 je 401121 */
		0xff, 0x04, 0x25, 0x08, 0x00, 0x60, 0x00,	/* 40111a inc dword [600008] */
		0xc3);						/* 401121 ret */
	struct rsb_snapshot *snapshot;
	uint64_t words[4];

	guest_map(&guest, "later", 0x600000, RSB_PAGE, RSB_READ | RSB_WRITE, &word, sizeof(word));
	guest_run(&guest);
	snapshot = take(&guest, NULL);
	guest_run(&guest);
	ck_assert_uint_eq(rsb_machine_changes(guest.machine, snapshot, words, 4), 1);
	ck_assert_uint_eq(words[0], GUEST_DATA);
	guest_run(&guest);
	ck_assert_uint_eq(rsb_machine_changes(guest.machine, snapshot, words, 4), 2);
	ck_assert_uint_eq(words[1], 0x600008);
	rsb_snapshot_free(snapshot);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

UNIT_MAIN("snapshot", a_plain_round_settles, registers_are_compared, both_gs_bases_are_compared,
	  the_hidden_gs_base_is_compared, memory_is_compared,
	  pages_touched_later_are_compared_with_the_image)
