/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: execution becomes events. What is expected follows from the instructions beside the
 * bytes; counts have two instructions more, the call and the return of rsb_round.
 */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/* A round is its mark, then each transfer in order, with marks around the traced call. */
START_TEST(records_a_round)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x90,	/* 401100 nop */
		0xc3);	/* 401101 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_all_events(&guest),
			 "round 401000\n"
			 "traced call 401000\n"
			 "call 401000>401100\n"
			 "return 401101>401005\n"
			 "landing 401005\n");
	ck_assert_uint_eq(guest.round.instructions, 2 + GUEST_ROUND_INSTRUCTIONS);
	/* nop and ret: the caller's call is not among them. */
	ck_assert_uint_eq(guest.round.traced_instructions, 2);
	ck_assert_uint_eq(guest.round.traced_calls, 1);
	guest_free(&guest);
}
END_TEST

/* Near calls by every way, and both returns. */
START_TEST(records_calls_and_returns)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x1b, 0x00, 0x00, 0x00,		  /* 401100 call 401120 */
		0x48, 0x8d, 0x05, 0x14, 0x00, 0x00, 0x00, /* 401105 lea rax, [401120] */
		0xff, 0xd0,				  /* 40110c call rax */
		0x50,					  /* 40110e push rax */
		0xff, 0x14, 0x24,			  /* 40110f call [rsp] */
		0x50,					  /* 401112 push rax */
		0xe8, 0x09, 0x00, 0x00, 0x00,		  /* 401113 call 401121 */
		0x58,					  /* 401118 pop rax */
		0xc3,					  /* 401119 ret */
		0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
		0xc3,					  /* 401120 ret */
		0xc2, 0x08, 0x00);			  /* 401121 ret 8 */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>401120\n"
			 "return 401120>401105\n"
			 "call 40110c>401120\n"
			 "return 401120>40110e\n"
			 "call 40110f>401120\n"
			 "return 401120>401112\n"
			 "call 401113>401121\n"
			 "return 401121>401118\n"
			 "return 401119>401005\n");
	guest_free(&guest);
}
END_TEST

/* Jumps, direct and not; what notrack and bnd stand before is the same transfer. */
START_TEST(records_jumps)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xeb, 0x00,				  /* 401100 jmp 401102 */
		0x48, 0x8d, 0x05, 0x02, 0x00, 0x00, 0x00, /* 401102 lea rax, [40110b] */
		0xff, 0xe0,				  /* 401109 jmp rax */
		0x48, 0x83, 0xc0, 0x07,			  /* 40110b add rax, 7 */
		0x3e, 0xff, 0xe0,			  /* 40110f notrack jmp rax */
		0xf2, 0xe9, 0x00, 0x00, 0x00, 0x00,	  /* 401112 bnd jmp 401118 */
		0xf2, 0xe8, 0x02, 0x00, 0x00, 0x00,	  /* 401118 bnd call 401120 */
		0xf3, 0xc3,				  /* 40111e rep ret */
		0xf2, 0xc3);				  /* 401120 bnd ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "jump 401100>401102\n"
			 "indirect jump 401109>40110b\n"
			 "indirect jump 40110f>401112\n"
			 "jump 401112>401118\n"
			 "call 401118>401120\n"
			 "return 401120>40111e\n"
			 "return 40111e>401005\n");
	guest_free(&guest);
}
END_TEST

/* A branch is taken or not by where it went; loop and jrcxz are branches too. */
START_TEST(records_branches)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb9, 0x02, 0x00, 0x00, 0x00, /* 401100 mov ecx, 2 */
		0xe2, 0xfe,		      /* 401105 loop 401105 */
		0xe3, 0x01,		      /* 401107 jrcxz 40110a */
		0x90,			      /* 401109 nop */
		0x85, 0xc9,		      /* 40110a test ecx, ecx */
		0x75, 0x01,		      /* 40110c jne 40110f */
		0x90,			      /* 40110e nop */
		0x74, 0x00,		      /* 40110f je 401111 */
		0xc3);			      /* 401111 ret */

	guest_run(&guest);
	/* The last branch is taken, but goes where it would go anyway. */
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 401105>401105\n"
			 "not-taken branch 401105>401107\n"
			 "taken branch 401107>40110a\n"
			 "not-taken branch 40110c>40110e\n"
			 "not-taken branch 40110f>401111\n"
			 "return 401111>401005\n");
	guest_free(&guest);
}
END_TEST

/* A call to the next instruction says so in its site, for profiles where it does not push. */
START_TEST(flags_a_call_to_the_next_instruction)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xe8, 0x00, 0x00, 0x00, 0x00, /* 401100 call 401105 */
		0x58,			      /* 401105 pop rax */
		0xff, 0xd0,		      /* 401106 call rax: to 401105, then to 401108 */
		0xc3);			      /* 401108 ret: the second call's address is popped */
	const struct rsb_site *sites;
	size_t count;

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "call 401100>401105\n"
			 "call 401106>401105\n"
			 "call 401106>401108\n"
			 "return 401108>401108\n"
			 "return 401108>401005\n");
	sites = rsb_sites_array(guest.sites, &count);
	ck_assert_uint_eq(sites[guest.trace.events[3].site].flags, RSB_SITE_ZERO_CALL);
	ck_assert_uint_eq(sites[guest.trace.events[3].site].fall_through, 0x401105);
	ck_assert_uint_eq(sites[guest.trace.events[4].site].flags, RSB_SITE_INDIRECT);
	ck_assert_uint_eq(sites[guest.trace.events[4].site].fall_through, 0x401108);
	guest_free(&guest);
}
END_TEST

/*
 * Far returns and iret work, because the machine has a descriptor table with Linux's selectors
 * (engine-notes 1.4: without one they are #GP); 0x10 is the kernel's code, 0x18 its data.
 */
START_TEST(records_far_transfers)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x8c, 0xc8, 0x50,			  /* 401100 mov eax, cs; push rax */
		0x48, 0x8d, 0x05, 0x03, 0x00, 0x00, 0x00, /* 401103 lea rax, [40110d] */
		0x50,					  /* 40110a push rax */
		0x48, 0xcb,				  /* 40110b lretq */
		0x48, 0x89, 0xe0,			  /* 40110d mov rax, rsp */
		0x6a, 0x18,				  /* 401110 push 0x18: ss */
		0x50,					  /* 401112 push rax: rsp */
		0x9c,					  /* 401113 pushfq */
		0x6a, 0x10,				  /* 401114 push 0x10: cs */
		0x48, 0x8d, 0x05, 0x03, 0x00, 0x00, 0x00, /* 401116 lea rax, [401120] */
		0x50,					  /* 40111d push rax: rip */
		0x48, 0xcf,				  /* 40111e iretq */
		0x48, 0xc7, 0x44, 0x24, 0xe0, 0x32, 0x11, 0x40, 0x00, /* mov qword [rsp - 32], 401132 */
		0x66, 0xc7, 0x44, 0x24, 0xe8, 0x10, 0x00, /* 401129 mov word [rsp - 24], 0x10 */
		0xeb, 0x02,				  /* 401130 jmp 401134 */
		0x48, 0xcb,				  /* 401132 lretq */
		0x48, 0xff, 0x5c, 0x24, 0xe0,		  /* 401134 lcall [rsp - 32] */
		0xc3);					  /* 401139 ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "far return 40110b>40110d\n"
			 "iret 40111e>401120\n"
			 "jump 401130>401134\n"
			 "far call 401134>401132\n"
			 "far return 401132>401139\n"
			 "return 401139>401005\n");
	guest_free(&guest);
}
END_TEST

/* Kinds that nobody asked for are not recorded; marks always are. */
START_TEST(records_only_the_kinds_asked_for)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xeb, 0x00,		      /* 401100 jmp 401102 */
		0xe8, 0x01, 0x00, 0x00, 0x00, /* 401102 call 401108 */
		0xc3,			      /* 401107 ret */
		0xc3);			      /* 401108 ret */

	guest_open(&guest, RSB_KIND_BIT(RSB_RETURN), 0);
	guest_run(&guest);
	ck_assert_str_eq(guest_all_events(&guest),
			 "round 401000\n"
			 "traced call 401000\n"
			 "return 401108>401107\n"
			 "return 401107>401005\n"
			 "landing 401005\n");
	ck_assert_uint_eq(guest.round.instructions, 4 + GUEST_ROUND_INSTRUCTIONS);
	guest_free(&guest);
}
END_TEST

/* Registers and memory start from zeros and are kept: each branch turns in the second round. */
START_TEST(keeps_registers_and_memory)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xff, 0xc3,				  /* 401100 inc ebx */
		0x83, 0xfb, 0x02,			  /* 401102 cmp ebx, 2 */
		0x74, 0x01,				  /* 401105 je 401108 */
		0x90,					  /* 401107 nop */
		0xff, 0x04, 0x25, 0x00, 0x00, 0x50, 0x00, /* 401108 inc dword [data] */
		0x83, 0x3c, 0x25, 0x00, 0x00, 0x50, 0x00, 0x02, /* 40110f cmp dword [data], 2 */
		0x74, 0x01,				  /* 401117 je 40111a */
		0x90,					  /* 401119 nop */
		0xc3);					  /* 40111a ret */

	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "not-taken branch 401105>401107\n"
			 "not-taken branch 401117>401119\n"
			 "return 40111a>401005\n");
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 401105>401108\n"
			 "taken branch 401117>40111a\n"
			 "return 40111a>401005\n");
	guest_free(&guest);
}
END_TEST

/* The segment bases are the image's: the same word, 1, is read through each. */
START_TEST(takes_the_bases_from_the_image)
{
	static const uint64_t word = 1;
	struct guest guest = GUEST(GUEST_CODE,
		0x65, 0x48, 0x8b, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, /* 401100 mov rax, gs:[0] */
		0x64, 0x48, 0x03, 0x04, 0x25, 0x10, 0x00, 0x00, 0x00, /* 401109 add rax, fs:[16] */
		0x48, 0x83, 0xf8, 0x02,				      /* 401112 cmp rax, 2 */
		0x74, 0x01,					      /* 401116 je 401119 */
		0xcc,						      /* 401118 int3 */
		0xc3);						      /* 401119 ret */

	guest_map(&guest, "words", 0x600000, RSB_PAGE, RSB_READ, &word, sizeof(word));
	rsb_image_set_gs_base(guest.image, 0x600000);
	rsb_image_set_fs_base(guest.image, 0x600000 - 16);
	guest_run(&guest);
	guest_free(&guest);
}
END_TEST

/* The machine's own memory goes where the image has none: 4 MiB of zeros stay zeros. */
START_TEST(keeps_clear_of_the_image)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0xbf, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x7f, 0x00, 0x00, /* mov rdi, 7ff000000000 */
		0xb9, 0x00, 0x00, 0x08, 0x00, /* 40110a mov ecx, 0x80000 */
		0x31, 0xc0,		      /* 40110f xor eax, eax */
		0xf3, 0x48, 0xaf,	      /* 401111 repe scasq */
		0x74, 0x01,		      /* 401114 je 401117 */
		0xcc,			      /* 401116 int3 */
		0xc3);			      /* 401117 ret */

	guest_map(&guest, "taken", UINT64_C(0x7ff000000000), 4 << 20, RSB_READ, NULL, 0);
	guest_run(&guest);
	ck_assert_str_eq(guest_events(&guest),
			 "taken branch 401114>401117\n"
			 "return 401117>401005\n");
	guest_free(&guest);
}
END_TEST

/* Code in a mitigation makes sites that say so, and sites are named by their symbol. */
START_TEST(labels_sites)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x90,  /* 401100 nop */
		0xc3); /* 401101 ret */
	const struct rsb_site *sites;
	size_t count;
	uint32_t site;

	ck_assert(rsb_image_mitigate(guest.image, GUEST_TARGET, GUEST_TARGET + 2,
				     RSB_MITIGATION_RETURN));
	guest_run(&guest);
	sites = rsb_sites_array(guest.sites, &count);
	site = guest.trace.events[3].site;
	ck_assert_uint_eq(sites[site].pc, 0x401101);
	ck_assert_uint_eq(sites[site].length, 1);
	ck_assert_uint_eq(sites[site].mitigation, RSB_MITIGATION_RETURN);
	ck_assert_str_eq(rsb_site_label(guest.sites, site), "target+0x1");
	guest_free(&guest);
}
END_TEST

/* A budget is met exactly: as many instructions as the round has are enough, one less is not. */
START_TEST(counts_the_budget_exactly)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x90,  /* 401100 nop */
		0xc3); /* 401101 ret */

	guest_open(&guest, RSB_KIND_ALL, 2 + GUEST_ROUND_INSTRUCTIONS);
	guest_run(&guest);
	guest_run(&guest);
	rsb_machine_free(guest.machine);
	guest_open(&guest, RSB_KIND_ALL, 2 + GUEST_ROUND_INSTRUCTIONS - 1);
	guest_fail(&guest);
	guest_free(&guest);
}
END_TEST

/* clang-format on */

UNIT_MAIN("machine", records_a_round, records_calls_and_returns, records_jumps, records_branches,
	  flags_a_call_to_the_next_instruction, records_far_transfers,
	  records_only_the_kinds_asked_for, keeps_registers_and_memory,
	  takes_the_bases_from_the_image, keeps_clear_of_the_image, labels_sites,
	  counts_the_budget_exactly)
