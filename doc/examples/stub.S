/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ways through a stub: one drops its return address, the other returns to it.
 *
 *	rsbsim score --asm stub.S --call drops --call returns
 *	rsbsim explain --asm stub.S --call drops
 */
	.globl	drops, returns
drops:
	call	1f
	ret
1:	add	$8, %rsp
	ret

returns:
	call	2f
	ret
2:	ret
