# SPDX-License-Identifier: GPL-2.0-or-later
#
# Layout files over objects and programs that gcc and clang build, each with what it expects: rsbsim
# check fails where a run gives something else. On an unbounded stack, so that how deep a C library
# or an unwinder goes has no say. What is expected is argued at each; it is the same for both
# compilers, because it follows from what the switch is for.

set -eu
command -v as >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bad=0
compilers=0

cat >calls.c <<'C'
static int (*volatile pointer)(int);
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int direct(int x) { return leaf(x) + 1; }
int indirect(int x) { pointer = leaf; return pointer(x) + 1; }
C

# longjmp() of the C library, out of two functions, four times; none of the calls is a tail call.
cat >jumps.c <<'C'
#include <setjmp.h>
static jmp_buf buffer;
static volatile int sink;
__attribute__((noinline)) static void second(void) { longjmp(buffer, 1); }
__attribute__((noinline)) static void first(void) { second(); sink++; }
__attribute__((noinline)) int jumps(void)
{
	if (_setjmp(buffer))
		return 0;
	first();
	return 1;
}
int main(void) { int sum = 0; for (int i = 0; i < 4; i++) sum += jumps(); return sum; }
C

# A throw out of two functions, through the unwinder, to the function that called them.
cat >throws.cc <<'C'
static volatile int sink;
__attribute__((noinline)) static void second(int x) { if (x) throw x; sink++; }
__attribute__((noinline)) static void first(int x) { second(x); sink++; }
extern "C" __attribute__((noinline)) int catches(int x)
{
	try {
		first(x);
	} catch (int y) {
		return y;
	}
	return 0;
}
int main() { int sum = 0; for (int i = 0; i < 4; i++) sum += catches(1); return sum == 4 ? 0 : 1; }
C

cat >nested.c <<'C'
__attribute__((noinline)) static int apply(int (*f)(int), int x) { return f(x) + 1; }
int nested(int x) { int add(int y) { return x + y; } return apply(add, 2) + 1; }
C

# What libgcc's __morestack does, without getting more stack.
cat >more.s <<'S'
	.globl	__morestack
__morestack:
	mov	(%rsp), %r11
	inc	%r11
	sub	$8, %rsp
	call	*%r11
	add	$8, %rsp
	ret
	.section .note.GNU-stack,"",@progbits
S
as --noexecstack more.s -o more.o

# layout NAME 'SOURCE' 'EXPECTATIONS': writes a layout file and checks it.
layout()
{
	printf '{ "name": "%s", "arch": "x86_64", %s,\n  "expect": { %s } }\n' "$1" "$2" "$3" \
		>"$1.json"
	if ! "$RSBSIM" check "./$1.json" --cpu ideal >out 2>&1; then
		cat "$1.json" out
		bad=1
	fi
}

# built OUTPUT COMMAND...: false where the compiler does not know a switch.
built()
{
	output=$1
	shift
	"$@" -o "$output" >log 2>&1 && ! grep -q 'unknown\|unused' log
}

balanced='"balance": 0, "balance_layout": 0, "misses_inside": 0, "misses_callers": 0'

# elf FILE FUNCTION: the source of code in a layout file.
elf()
{
	printf '"elf": { "file": "%s" }, "call": "%s"' "$1" "$2"
}

# object COMPILER COUNT: with each switch, what the compiler is documented to emit.
object()
{
	cc="$1 -O1 -fno-stack-protector -fno-optimize-sibling-calls -c calls.c"
	two="\"calls\": 2, \"returns\": 2, $balanced"

	# The caller's call and that of leaf, and as many returns.
	# shellcheck disable=SC2086
	built "$1-plain.o" $cc -fcf-protection=none || return 0
	layout "$1-direct" "$(elf "$1-plain.o" direct)" "$two"
	layout "$1-indirect" "$(elf "$1-plain.o" indirect)" \
		"$two"

	# endbr64 is no transfer; the one indirect call is one that it allows.
	# shellcheck disable=SC2086
	if built "$1-cet.o" $cc -fcf-protection=full; then
		layout "$1-cet" \
			"$(elf "$1-cet.o" indirect), \"ibt\": true, \"shadow_stack\": true" \
			"$two"
	fi

	# A retpoline makes a call and a return that misses more, on purpose: its target is what a
	# return stack cannot know. Without it there is an indirect jump, and balance.
	# shellcheck disable=SC2086
	if built "$1-retpoline.o" $cc -fcf-protection=none -mindirect-branch=thunk ||
		built "$1-retpoline.o" $cc -fcf-protection=none -mretpoline; then
		layout "$1-retpoline" "$(elf "$1-retpoline.o" indirect)" '"calls": 3, "returns": 3,
			"balance": 0, "balance_layout": 0, "misses_inside": 1, "intended_inside": 1,
			"misses_callers": 0'
		layout "$1-retpoline-direct" "$(elf "$1-retpoline.o" direct)" \
			"$two"
	else
		echo "$1: no retpolines"
	fi

	# Each return is a call and a return that misses. The two functions' calls and the thunks'
	# make 4 calls for 2 returns; with the callers', which return so too, all 8 below miss.
	# shellcheck disable=SC2086
	if built "$1-return.o" $cc -fcf-protection=none -mfunction-return=thunk; then
		layout "$1-return" "$(elf "$1-return.o" direct)" '"calls": 4, "returns": 2,
			"balance": 2, "balance_layout": 0, "misses_inside": 2, "intended_inside": 2,
			"misses_callers": 8, "intended_callers": 8'
	else
		echo "$1: no return thunks"
	fi

	# Two functions that find too little stack: each calls __morestack, which calls its body,
	# and returns to a ret. Without room being short, nothing of it runs.
	# shellcheck disable=SC2086
	if built "$1-split.o" $cc -fcf-protection=none -fsplit-stack &&
		nm "$1-split.o" | grep -q __morestack; then
		ld -r "$1-split.o" more.o -o "$1-more.o"
		layout "$1-split" "$(elf "$1-more.o" direct), \"fs_base\": \"0x70000000\",
			\"memory\": [ { \"at\": \"0x70000070\", \"size\": 8,
				\"hex\": \"ffffffffffffff7f\" } ]" \
			"\"calls\": $2, \"returns\": $2, $balanced"
		layout "$1-room" "$(elf "$1-more.o" direct)" \
			"$two"
	else
		echo "$1: no split stacks"
	fi
}

# Only gcc puts code on the stack for a nested function: apply() calls that, and it jumps there.
nested()
{
	gcc -O1 -fno-stack-protector -c nested.c -o nested.o
	layout gcc-nested '"elf": { "file": "nested.o" }, "call": "nested"' \
		"\"calls\": 3, \"returns\": 3, $balanced"
}

# program NAME COMPILER FILE FUNCTION 'EXPECTATIONS': linked statically with the C library, run from
# its entry; the calls of the function that occur are counted.
program()
{
	if ! built "$1" "$2" -O1 -static -fno-optimize-sibling-calls "$3" || ! "./$1"; then
		echo "$1: not built, or it does not run"
		return 0
	fi
	layout "$1-program" "\"elf\": { \"file\": \"$1\" }, \"entry\": \"_start\",
		\"trace_call\": \"$4\"" "$5"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	compilers=$((compilers + 1))
	# gcc splits the stack of the leaf too; clang leaves out a function that needs none.
	[ $compiler = gcc ] && split=6 || split=4
	object "$compiler" "$split"
	[ $compiler = clang ] || nested

	# first(), second(), longjmp() and what that calls to load the registers, __longjmp(), are
	# never returned from: 4 are left by each of 4 calls, and the function's own return misses.
	# The function, _setjmp(), those four and _longjmp_unwind() are 7 calls, 3 of which return.
	# main() returns to where the newest of the entries that are left does not lead: one miss
	# for the four.
	program $compiler-jumps $compiler jumps.c jumps '"calls": 7, "returns": 3, "balance": 4,
		"balance_layout": 4, "misses_inside": 1, "misses_callers": 0.25'
done

# first(), second(), __cxa_throw() and _Unwind_RaiseException() are never returned from; the
# unwinder's own calls are, and so is what catches. How many those are is no matter of ours.
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	program $compiler-throws $compiler throws.cc catches '"balance": 4, "balance_layout": 4,
		"misses_inside": 1, "misses_callers": 0.25'
done

[ $compilers -gt 0 ] || exit 77
exit $bad
