/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vocabulary: what one control transfer, or one mark, is. An event is two 32-bit ids: the site
 * that made it (interned in the site table, traces/site.h) and the address it went to (interned
 * there too). The kind belongs to the site: a conditional branch has one site for each way it went.
 */
#ifndef RSB_TRACES_EVENT_H
#define RSB_TRACES_EVENT_H

#include <stdint.h>

enum rsb_kind {
	RSB_CALL,             /* near call: pushes its fall-through */
	RSB_RETURN,           /* near return: pops */
	RSB_SWAP,             /* pop, then push (RISC-V jalr between two link registers) */
	RSB_JUMP,             /* direct jump */
	RSB_JUMP_INDIRECT,    /* jump through a register or memory, far jump included */
	RSB_BRANCH_TAKEN,     /* conditional branch that went to its target */
	RSB_BRANCH_NOT_TAKEN, /* conditional branch that fell through */
	RSB_CALL_FAR,         /* far call: no return stack is known to push it */
	RSB_RETURN_FAR,       /* far return */
	RSB_SYSCALL,          /* syscall, sysenter: into the kernel */
	RSB_SYSRET,           /* sysret, sysexit: out of it */
	RSB_INTERRUPT,        /* int n, int3, an exception, or an injected interrupt */
	RSB_IRET,             /* iret, uiret */
	RSB_ENVIRONMENT, /* something outside the code acts on the stack: see enum rsb_environment
			  */
	RSB_SPECULATE,   /* the events from here are on a wrong path ... */
	RSB_SQUASH,      /* ... up to here, where the processor takes them back */
	RSB_MARK,        /* no transfer: see enum rsb_mark */
	RSB_KINDS
};

#define RSB_KIND_BIT(kind) (UINT32_C(1) << (kind))
#define RSB_KIND_ALL       (RSB_KIND_BIT(RSB_KINDS) - 1)

/* The detail of an RSB_MARK site. */
enum rsb_mark {
	RSB_MARK_ROUND,       /* a round begins */
	RSB_MARK_TRACED_CALL, /* the event after it is the innermost caller's call of the traced
				 function */
	RSB_MARK_LANDING,     /* the event before it reached the caller's return address */
	RSB_MARK_GAP,         /* events are missing before the one after it: what is on the stack is
				 not known */
};

/* The detail of an RSB_ENVIRONMENT site; RSB_ENVIRONMENT_FILL has the number of entries in count.
 */
enum rsb_environment {
	RSB_ENVIRONMENT_CLEAR, /* the return stack is emptied */
	RSB_ENVIRONMENT_FILL,  /* count harmless entries are pushed */
	RSB_ENVIRONMENT_IBPB, /* indirect branch prediction barrier: what it clears is the profile's
			       */
	RSB_ENVIRONMENT_SWITCH,    /* another thread runs from here on */
	RSB_ENVIRONMENT_CR3,       /* the page tables were changed; what the TLB holds was kept */
	RSB_ENVIRONMENT_CR3_FLUSH, /* ... or was not */
};

/* What a call inside a mitigation stands for, when the mitigation is replaced by a plain
 * instruction. */
enum rsb_mitigation {
	RSB_MITIGATION_NONE,
	RSB_MITIGATION_JUMP, /* a retpoline: its call, and the next return, are one indirect jump */
	RSB_MITIGATION_RETURN, /* a return thunk (safe RET, a refill): its calls vanish, its return
				  stays */
	RSB_MITIGATION_FILL,   /* an RSB fill: its calls vanish */
};

/* Flags of a site. */
#define RSB_SITE_INDIRECT  0x01u /* a call through a register or memory */
#define RSB_SITE_ZERO_CALL 0x02u /* a direct call to the next instruction */

#define RSB_SITE_NONE UINT32_MAX /* no site: an entry that no call pushed */

struct rsb_event {
	uint32_t site;   /* id in the site table */
	uint32_t target; /* id in its address table: where it went; for a mark, the address it is
			    about */
};

/* "call", "return", "indirect jump", ...; never NULL. */
const char *rsb_kind_name(enum rsb_kind kind);

#endif
