# SPDX-License-Identifier: GPL-2.0-or-later
#
# Code as compilers build it, with each switch that changes how it calls and returns. What is
# expected follows from the instructions that the compiler is documented to use, argued at each row.

set -eu
command -v gcc >/dev/null && command -v as >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bad=0

# expect 'FIGURES' OPTION...: calls, returns, balance, balance_layout; misses inside, those that are
# intended, misses in the 8 callers, those that are intended.
expect()
{
	want=$1
	shift
	got=$("$RSBSIM" score "$@" --scenario unwind --format csv | tr -d '\r' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		NR > 1 { print $c["calls"], $c["returns"], $c["balance"], $c["balance_layout"],
			 $c["misses_inside"], $c["intended_inside"], $c["misses_callers"],
			 $c["intended_callers"] }')
	[ "$got" = "$want" ] && return
	echo "score $*: $got; expected $want"
	bad=1
}

cat >calls.c <<'EOF'
static int (*volatile pointer)(int);
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + 1; }
int direct(int x) { return leaf(x) + 1; }
int indirect(int x) { pointer = leaf; return pointer(x) + 1; }
EOF

# build OUTPUT SWITCH...: without what distributions turn on by default.
build()
{
	output=$1
	shift
	gcc -O1 -fno-stack-protector -fcf-protection=none -c calls.c -o "$output" "$@"
}

# The caller's call and the one of leaf; each returns.
plain='2 2 0 0 0 0 0 0'
build plain.o
expect "$plain" --elf plain.o --call direct
expect "$plain" --elf plain.o --call indirect

# A retpoline is called, calls over its trap, and returns to leaf: a call and a return more than an
# indirect call, and the return misses on purpose.
retpoline='3 3 0 0 1 1 0 0'
build retpoline.o -mindirect-branch=thunk
expect "$plain" --elf retpoline.o --call direct
expect "$retpoline" --elf retpoline.o --call indirect

# The same where another file has the thunk: one is made up for it.
build extern.o -mindirect-branch=thunk-extern
expect "$retpoline" --elf extern.o --call indirect

# Each of the two functions, and each caller, returns by a thunk that calls and then returns, in
# order to miss: as many calls as returns come on top, and the calls that were made stay open. With
# a plain ret in the thunk's place there would be none left.
build return.o -mfunction-return=thunk
expect '4 2 2 0 2 2 8 8' --elf return.o --call direct

# Of a thunk that another file has, a ret is made, as a kernel without need of another has it.
build shared.o -mfunction-return=thunk-extern
expect "$plain" --elf shared.o --call direct
"$RSBSIM" score --elf shared.o --call direct --format csv | grep ',rethunk,' >/dev/null || bad=1

# endbr64 is no transfer, and with it all indirect calls are allowed.
build endbr.o -fcf-protection=full
expect "$plain" --elf endbr.o --call indirect
printf '{ "elf": { "file": "endbr.o" }, "call": "indirect", "ibt": true }' >endbr.json
expect "$plain" ./endbr.json

# The stack protector reads fs:0x28, and finds what it wrote.
build protected.o -fstack-protector-all
expect "$plain" --elf protected.o --call direct

# Addresses that are loaded from a table, and such of 64 bits.
build table.o -fPIC -fno-plt
expect "$plain" --elf table.o --call indirect
build large.o -mcmodel=large
expect "$plain" --elf large.o --call indirect

# A split stack has room as long as fs:0x70 is below the stack pointer. Where it has none, the
# function calls __morestack, which calls the rest of the function and then returns to a ret: "so
# that the processor's call/return return address prediction works out" (libgcc,
# config/i386/morestack.S). Two calls and two returns more in each of the two functions, and nothing
# misses.
build split.o -fsplit-stack
expect "$plain" --elf split.o --call direct
cat >more.s <<'EOF'
	.globl	__morestack
__morestack:
	mov	(%rsp), %r11
	inc	%r11
	sub	$8, %rsp
	call	*%r11
	add	$8, %rsp
	ret
EOF
as --noexecstack more.s -o more.o
ld -r split.o more.o -o both.o
expect '6 6 0 0 0 0 0 0' --elf both.o --call direct --fs-base 0x70000000 \
	--map 0x70000070:8=ffffffffffffff7f

# A nested function is called through code on the stack that jumps to it; the object says that it
# needs that.
cat >nested.c <<'EOF'
__attribute__((noinline)) static int apply(int (*f)(int), int x) { return f(x) + 1; }
int nested(int x) { int add(int y) { return x + y; } return apply(add, 2) + 1; }
EOF
gcc -O1 -fno-stack-protector -c nested.c -o nested.o
expect '3 3 0 0 0 0 0 0' --elf nested.o --call nested

# longjmp out of two functions: they and the call of longjmp itself are never returned from, so
# three calls are left, and the function's own return and those of its callers miss.
cat >jumps.s <<'EOF'
	.globl	jumps
jumps:	push	%rbx
	lea	buffer(%rip), %rdi
	call	save
	test	%eax, %eax
	jnz	1f
	call	first
1:	pop	%rbx
	ret
first:	push	%rbx
	call	second
	pop	%rbx
	ret
second:	push	%rbx
	lea	buffer(%rip), %rdi
	call	restore
save:	mov	(%rsp), %rax
	mov	%rax, (%rdi)
	lea	8(%rsp), %rax
	mov	%rax, 8(%rdi)
	xor	%eax, %eax
	ret
restore: mov	8(%rdi), %rsp
	mov	$1, %eax
	jmp	*(%rdi)
	.bss
buffer:	.skip	16
EOF
expect '5 2 3 3 1 0 8 0' --asm jumps.s --call jumps

# Linked: an executable and a shared object, there or elsewhere; stripped, by address.
gcc -O1 -nostdlib -static -no-pie calls.c -Wl,-e,direct -o executable
expect "$plain" --elf executable --call indirect
gcc -O1 -shared -fPIC -nostdlib calls.c -o shared.so
expect "$plain" --elf shared.so --call direct
expect "$plain" --elf shared.so --call direct --base 0x7f0000000000
address=0x$(nm shared.so | awk '/ indirect$/ { print $1 }')
strip shared.so
expect "$plain" --elf shared.so --call "$address"

# What another file would have: the message names it; a stub or another function can stand for it.
printf 'int leaf(int x) { return x; }\nint other(int);\nint outer(int x) { return other(x) + 1; }\n' >outer.c
gcc -O1 -shared -fPIC -nostdlib outer.c -o outer.so
if "$RSBSIM" score --elf outer.so --call outer 2>err ||
	! grep 'address other, which is not in the file' err >/dev/null; then
	cat err
	bad=1
fi
expect "$plain" --elf outer.so --call outer --stub other
expect "$plain" --elf outer.so --call outer --define other=leaf

# A function that is chosen when a program starts: libc's for strings, where it is linked
# statically.
cat >chosen.c <<'EOF'
static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));
int outer(void) { return chosen() + 1; }
EOF
gcc -O1 -static -nostdlib -no-pie chosen.c -Wl,-e,outer -o chosen
if "$RSBSIM" score --elf chosen --call outer 2>err ||
	! grep 'which is chosen when a program starts' err >/dev/null; then
	cat err
	bad=1
fi
expect "$plain" --elf chosen --call outer --define chosen=one

# clang has its own name for a retpoline.
if command -v clang >/dev/null; then
	clang -O1 -c -mretpoline calls.c -o clang.o
	expect "$plain" --elf clang.o --call direct
	expect "$retpoline" --elf clang.o --call indirect
fi
exit $bad
