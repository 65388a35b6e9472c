/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of sources. */
#include "sim/image/source.h"

const struct rsb_source *const rsb_sources[] = {
	&rsb_source_generate,
	&rsb_source_core,
	&rsb_source_elf,
	&rsb_source_asm,
	&rsb_source_jitdump,
	&rsb_source_bytes,
	NULL,
};
