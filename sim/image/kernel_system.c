/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How system calls enter a Linux kernel for x86-64, and what of them the engine cannot run. */
#include "sim/image/kernel.h"

#include <inttypes.h>
#include <stdio.h>

#define ENTRY "entry_SYSCALL_64"

/*
 * CR3 in user mode, as a kernel with page table isolation has it: bit 12 chooses the user's half of
 * the page tables (arch/x86/entry/calling.h, PTI_USER_PGTABLE_BIT). The engine does not walk them.
 */
#define PAGE_TABLES UINT64_C(0x3000)

/*
 * Both are on the way out and restore or check the floating-point registers, for which the engine
 * (Unicorn 2.0.1) has no xrstor (arch/x86/kernel/fpu/core.c, Linux 6.12).
 */
static const char *const stubs[] = { "fpregs_assert_state_consistent", "switch_fpu_return" };
#define STUBS (sizeof(stubs) / sizeof(*stubs))

/* What is not in the image is not called either, or it says so when it is. */
static bool add_stubs(struct rsb_image *image)
{
	static const uint8_t ret = 0xc3;
	char list[128] = "";
	size_t used = 0;

	for (size_t i = 0; i < STUBS; i++) {
		struct rsb_error ignored;
		uint64_t address;

		if (rsb_kernel_symbol(image, stubs[i], &address) &&
		    rsb_image_patch(image, address, &ret, sizeof(ret), &ignored))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ", " : "", stubs[i]);
	}
	return !used ||
	       rsb_image_note(image, "returns at once, for the engine has no xrstor: %s", list);
}

bool rsb_kernel_system(struct rsb_image *image, struct rsb_system *system, struct rsb_error *error)
{
	struct rsb_error why;
	uint8_t byte;

	*system = (struct rsb_system){ .gs_base = rsb_image_gs_base(image),
				       .page_tables = PAGE_TABLES };
	if (!rsb_kernel_symbol(image, ENTRY, &system->entry))
		return rsb_error_set(error, "the symbols lack " ENTRY
					    ", where system calls enter the kernel");
	if (!rsb_image_read(image, system->entry, &byte, sizeof(byte), &why))
		return rsb_error_set(error, ENTRY " (0x%" PRIx64 "): %s", system->entry,
				     why.text[0] ? why.text : "its page is not in the image");
	return add_stubs(image) || rsb_error_set(error, "out of memory");
}
