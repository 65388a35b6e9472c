/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is brought in when it is touched: what that may cost, and what may go wrong. */
#include "tests/unit/guest.h"
#include "tests/unit/unit.h"

#include <string.h>

/* clang-format keeps the bytes of one instruction on one line with its text. */
/* clang-format off */

/* The reader of a backed segment fails when its page is touched: the machine passes on why. */
static bool refuse(void *context, uint64_t address, uint8_t page[RSB_PAGE], struct rsb_error *error)
{
	(void)context;
	(void)address;
	(void)page;
	return rsb_error_set(error, "a.core is cut short");
}

/* What the reader says of the file is the end of the message about the access. */
START_TEST(passes_on_why_a_page_cannot_be_read)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x90,						 /* nop */
		0x48, 0x8b, 0x04, 0x25, 0x00, 0x00, 0x60, 0x00); /* mov rax, [600000] */

	ck_assert(rsb_image_back(guest.image, "core", 0x600000, RSB_PAGE, RSB_READ, refuse, NULL,
				 &guest.error));
	ck_assert_str_eq(guest_message(guest),
			       "memory cannot be brought in at target+0x1 (0x401101): "
			       "mov rax, qword ptr [0x600000]: a.core is cut short");
}
END_TEST

static bool zeros(void *context, uint64_t address, uint8_t page[RSB_PAGE], struct rsb_error *error)
{
	(void)context;
	(void)address;
	(void)error;
	memset(page, 0, RSB_PAGE);
	return true;
}

/* A segment costs what is touched of it, and that is bounded: this one has 64 GiB. */
START_TEST(bounds_the_memory)
{
	struct guest guest = GUEST(GUEST_CODE,
		0x48, 0xb8, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, /* mov rax, 1000000000 */
		0xff, 0x00,				/* 40110a inc dword [rax] */
		0x48, 0x05, 0x00, 0x10, 0x00, 0x00,	/* 40110c add rax, 4096 */
		0xeb, 0xf6);				/* 401112 jmp 40110a */

	ck_assert(rsb_image_back(guest.image, "large", UINT64_C(0x1000000000), UINT64_C(64) << 30,
				 RSB_READ | RSB_WRITE, zeros, NULL, &guest.error));
	ck_assert_ptr_nonnull(strstr(guest_message(guest),
					   ": the code touches more than 256 MiB of memory"));
}
END_TEST

/* So are its pieces: every other page is mapped, none can be brought in with a neighbour. */
START_TEST(bounds_the_pieces_of_memory)
{
	struct guest guest = GUEST(GUEST_CODE,
		0xb8, 0x00, 0x00, 0x60, 0x00,	    /* 401100 mov eax, 600000 */
		0x0f, 0xb6, 0x18,		    /* 401105 movzx ebx, byte [rax] */
		0x48, 0x05, 0x00, 0x20, 0x00, 0x00, /* 401108 add rax, 8192 */
		0xeb, 0xf5);			    /* 40110e jmp 401105 */

	for (unsigned i = 0; i < 600; i++)
		guest_map(&guest, "piece", 0x600000 + 2 * i * RSB_PAGE, RSB_PAGE, RSB_READ, NULL, 0);
	ck_assert_ptr_nonnull(strstr(guest_message(guest),
					   ": the code touches more than 512 separate places"));
}
END_TEST

/* clang-format on */

UNIT_MAIN("memory that is brought in", passes_on_why_a_page_cannot_be_read, bounds_the_memory,
	  bounds_the_pieces_of_memory)
