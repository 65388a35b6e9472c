# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whole programs, run from their entry: what counts as a call of the traced function, how a program
# ends, what the system does for it, and what is refused.

set -eu
command -v gcc >/dev/null && command -v as >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bad=0

fail()
{
	echo "$*"
	bad=1
}

# The named columns of the only row.
columns()
{
	names=$1
	shift
	"$RSBSIM" score "$@" --cpu amd-zen4 --rounds 1 --format csv | tr -d '\r' |
		awk -F, -v names="$names" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(names, name, " ") }
		NR == 2 { for (i = 1; i <= n; i++) printf "%s%s", $c[name[i]], i < n ? " " : "\n" }'
}

# expect 'COLUMNS' 'VALUES' OPTION...
expect()
{
	what=$1 want=$2
	shift 2
	got=$(columns "$what" "$@") || fail "score $*: status $?"
	[ "$got" = "$want" ] || fail "score $*: $what are $got; expected $want"
}

# refuse 'MESSAGE' OPTION...: one line that ends so, and status 2.
refuse()
{
	want=$1
	shift
	status=0
	"$RSBSIM" score "$@" >out 2>err || status=$?
	[ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] ||
		fail "score $*: status $status"
	case $(cat err) in
	*"$want"*) ;;
	*) fail "score $*: $(cat err); expected $want" ;;
	esac
}

# fib(20) with indirect calls. gdb, stepping from _start to the end and counting the mnemonics (the
# script of tests/cli/program-libc.sh, FROM=_start), says: 21891 calls, 21891 returns, 197019
# instructions. fib(n) is called 2 fib(n+1) - 1 times: 2 * 10946 - 1. The exit status is 6765 & 255.
cat >fib.S <<'END'
	.globl	_start, fib
_start:	mov	$20, %edi
	call	fib
	mov	%eax, %edi
	mov	$60, %eax
	syscall
fib:	cmp	$2, %edi
	jb	1f
	push	%rbx
	push	%rdi
	lea	-1(%rdi), %edi
	call	*table(%rip)
	mov	%rax, %rbx
	pop	%rdi
	sub	$2, %edi
	lea	fib(%rip), %rax
	call	*%rax
	add	%rbx, %rax
	pop	%rbx
	ret
1:	mov	%edi, %eax
	ret
	.data
table:	.quad	fib
END
gcc -nostdlib -static -o fib fib.S
figures='scenario steady total_traced_calls calls returns instructions balance misses_inside'
expect "$figures" 'program no 1 21891 21891 197019 0 0' --elf fib --entry _start

# From the call of fib until it returned: less the four instructions of _start that are not its
# call, and the call, which is not counted as inside.
expect "$figures" 'program no 1 21891 21891 197014 0 0' --elf fib --entry _start --trace-call fib
expect "$figures" 'program no 1 21891 21891 197014 0 0' --elf fib --entry fib
expect "$figures" 'program no 1 21891 21891 197014 0 0' --asm fib.S --entry fib
expect "$figures" 'program no 1 21891 21891 197014 0 0' --asm fib.S --entry _start --trace-call fib
cat >fib.json <<'END'
{ "elf": { "file": "fib" }, "entry": "_start", "trace_call": "fib",
  "expect": { "calls": 21891, "balance_layout": 0 } }
END
expect "$figures" 'program no 1 21891 21891 197014 0 0' ./fib.json

# Without symbols, the file still says where it starts.
strip -o stripped fib
expect "$figures" 'program no 1 21891 21891 197019 0 0' --elf stripped --entry _start
"$RSBSIM" score --elf fib --entry _start --cpu amd-zen4 >out
grep -q '^note: the program exited with status 109 within a traced call, which ends there$' out ||
	fail "no word of the exit status: $(cat out)"

# The other commands take it too; a recorded program replays to the same figures.
"$RSBSIM" check ./fib.json --cpu amd-zen4 >out || fail "check: $(cat out)"
"$RSBSIM" explain ./fib.json --cpu intel-haswell >out
grep -q '^1. overflow' out || fail "explain: $(cat out)"
"$RSBSIM" show ./fib.json >out
[ "$(grep -c '; pops' out)" = 2 ] || fail "show: $(cat out)"
"$RSBSIM" trace record ./fib.json -o fib.rsbt
"$RSBSIM" trace replay fib.rsbt --cpu intel-haswell --format json >replayed
"$RSBSIM" score ./fib.json --cpu intel-haswell --format json >scored
for key in calls returns misses_inside misses_callers instructions; do
	[ "$(grep "\"$key\"" replayed)" = "$(grep "\"$key\"" scored)" ] ||
		fail "replay: another $key than score"
done

# More rounds are the same run again; what the return stack holds at the start is from the one
# before.
got=$("$RSBSIM" score ./fib.json --cpu amd-zen4 --rounds 1000 --format csv | tr -d '\r' | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
	NR == 2 { print $c["steady"], $c["rounds"], $c["total_traced_calls"], $c["total_calls"] }')
[ "$got" = 'proved 1000 1000 21891000' ] || fail "1000 rounds: $got"

# What a call of the traced function is: made by any call, not by a jump, and not within another. Of
# the three spans here, two have the calls of stub and leaf; the third has five of stub, and leaf's.
cat >spans.S <<'END'
	.globl	_start, stub
_start:	xor	%edi, %edi
	call	stub
	lea	stub(%rip), %rax
	call	*%rax
	call	via
	mov	$4, %edi
	call	stub
	xor	%edi, %edi
	mov	$60, %eax
	syscall
via:	jmp	stub
stub:	test	%edi, %edi
	jz	1f
	dec	%edi
	call	stub
	ret
1:	call	leaf
	ret
leaf:	ret
END
expect 'total_traced_calls total_calls total_returns peak' '3 10 10 6' --asm spans.S \
	--entry _start --trace-call stub

# A call that is left for good ends with the program, and those after it are within it.
cat >left.S <<'END'
	.globl	_start, stub
_start:	call	stub
1:	call	stub
	mov	$60, %eax
	syscall
stub:	pop	%rax
	jmp	*%rax
END
expect 'total_traced_calls total_calls total_returns balance' '2 2 0 1' --asm left.S \
	--entry _start --trace-call stub
sed -i 's/jmp	\*%rax/push	%rbx; jmp *%rax/' left.S
expect 'total_traced_calls total_calls total_returns balance' '1 2 0 2' --asm left.S \
	--entry _start --trace-call stub

# main gets argc, argv and envp, and its end is the program's.
cat >main.S <<'END'
	.globl	main
main:	cmp	$1, %edi
	jne	1f
	mov	(%rsi), %rax
	cmpb	$0, (%rax)
	je	1f
	cmpq	$0, 8(%rsi)
	jne	1f
	cmpq	$0, (%rdx)
	jne	1f
	test	$15, %spl
	call	good
1:	ret
good:	ret
END
expect 'calls returns' '2 2' --asm main.S --entry main

# The memory calls: 0 if each does what it should, or the number of the first that does not.
cat >memory.S <<'END'
	.macro	sys number, a=0, b=0, c=0, d=0, e=0, f=0
	mov	$\number, %eax
	mov	\a, %rdi
	mov	\b, %rsi
	mov	$\c, %edx
	mov	$\d, %r10d
	mov	$\e, %r8
	mov	$\f, %r9d
	syscall
	.endm
	.macro	want number, condition
	mov	$\number, %ebp
	j\condition 1f
	mov	%ebp, %edi
	mov	$231, %eax
	syscall
1:
	.endm
	.globl	_start
_start:	sys	12, $0, $0			/* brk(0) */
	mov	%rax, %rbx
	lea	0x12345(%rbx), %r12
	sys	12, %r12, $0
	cmp	%r12, %rax
	want	1, e
	cmpb	$0, -1(%r12)
	want	2, e
	movb	$7, -1(%r12)
	sys	12, %rbx, $0			/* back, and there again: zeros */
	sys	12, %r12, $0
	cmpb	$0, -1(%r12)
	want	3, e
	sys	9, $0, $0x4000, 3, 0x22, -1	/* mmap, 4 pages, read and write */
	test	%rax, %rax
	want	4, ns
	mov	%rax, %r13
	movb	$0xc3, 0x1000(%r13)		/* a ret in the second */
	movb	$5, 0x3000(%r13)
	lea	0x1000(%r13), %r14
	sys	10, %r14, $0x1000, 5		/* mprotect: read and execute */
	test	%rax, %rax
	want	5, z
	call	*%r14
	cmpb	$5, 0x3000(%r13)		/* the neighbours are as they were */
	want	6, e
	movb	$6, 0x2000(%r13)
	lea	0x2000(%r13), %r15
	sys	11, %r15, $0x1000		/* munmap of the third */
	test	%rax, %rax
	want	7, z
	cmpb	$5, 0x3000(%r13)
	want	8, e
	sys	9, $0, $0x1000, 3, 0x22, -1	/* and its place is the next one's, with zeros */
	cmp	%r15, %rax
	want	9, e
	cmpb	$0, (%r15)
	want	10, e
	sys	9, $0, $0x1000, 3, 2, 0		/* of a file: there is none */
	cmp	$-9, %rax
	want	11, e
	sys	158, $0x1002, %r13		/* arch_prctl(ARCH_SET_FS) */
	mov	%fs:0x3000, %al
	cmp	$5, %al
	want	12, e
	sys	318, %r13, $8			/* getrandom */
	cmp	$8, %rax
	want	13, e
	sys	1, $1, %r13, 4			/* write */
	cmp	$4, %rax
	want	14, e
	sys	1, $1, $16, 4			/* of what is not there */
	cmp	$-14, %rax
	want	15, e
	sys	228, $1, %r13			/* clock_gettime */
	cmpq	$1735689600, (%r13)
	want	16, e
	xor	%edi, %edi
	mov	$231, %eax
	syscall
END
"$RSBSIM" score --asm memory.S --entry _start --cpu amd-zen4 --format csv >out
grep -q 'the program exited with status 0 within a traced call, which ends there; 4 bytes that it wrote were thrown away' out ||
	fail "memory.S: $(cat out)"

# A system call is served, and does to the return stack what the environment says: here the only
# return after it finds that empty.
cat >served.S <<'END'
	.globl	_start, stub
_start:	call	stub
	cmp	$1000, %eax
	jne	1f
	xor	%edi, %edi
	mov	$60, %eax
	syscall
1:	hlt
stub:	mov	$39, %eax
	syscall
	ret
END
printf '{ "asm": { "file": "served.S" }, "entry": "_start", "trace_call": "stub" }' >served.json
printf '{ "asm": { "file": "served.S" }, "entry": "_start", "trace_call": "stub",
	"environment": { "syscall": "clear" } }' >cleared.json
expect 'calls returns misses_inside' '1 1 0' ./served.json
expect 'calls returns misses_inside' '1 1 1' ./cleared.json

# The time-stamp counter is one of instructions, also where it is read by the first of a page, which
# the engine translates while the page is brought in: one was executed then, and its low bits are
# the status.
printf '\t.globl _start\n_start:\trdtsc\n\tmov %%eax, %%edi\n\tcall 1f\n1:\tmov $60, %%eax\n\tsyscall\n' >clock.S
"$RSBSIM" score --asm clock.S --entry _start --cpu amd-zen4 --format csv >out
grep -q 'the program exited with status 1 within' out || fail "clock.S: $(cat out)"

# What was unmapped, protected or given back faults.
faults()
{
	{
		sed -n '/macro/,/endm/p' memory.S
		printf '_start:\tsys 9, $0, $0x4000, 3, 0x22, -1\n\tmov %%rax, %%r13\n\tmovb $1, (%%r13)\n'
		cat
	} >fault.S
	refuse "$1" --asm fault.S --entry _start
}
faults 'read of unmapped memory at _start+' <<'END'
	sys	11, %r13, $0x1000
	mov	(%r13), %al
END
faults 'write to read-only memory at _start+' <<'END'
	sys	10, %r13, $0x1000, 1
	movb	$1, (%r13)
END
faults 'write to unmapped memory at _start+' <<'END'
	sys	12, $0, $0
	movb	$1, (%rax)
END
faults 'jump to memory that may not be executed at _start+' <<'END'
	jmp	*%r13
END

# Code that ran before the entry, too, is explained as it is: balanced, by its text.
cat >again.S <<'END'
	.globl	_start, main
_start:	call	twice
	call	main
	mov	$60, %eax
	syscall
main:	call	twice
	ret
twice:	push	%rbx
	call	leaf
	pop	%rbx
leaf:	ret
END
"$RSBSIM" explain --asm again.S --entry main >out
grep -q '^Every return is predicted' out || fail "explain again.S: $(cat out)"
"$RSBSIM" step --asm again.S --entry main --script n >out
grep -q 'call before _start+0xa to main' out || fail "step again.S: $(cat out)"

# What is not served stops the run, with its number and name; and what else is refused.
printf '_start: mov $57, %%eax\n syscall\n' >fork.S
refuse '_start: the program makes a system call that is not served at _start+0x5 (0x400005): syscall, number 57 (fork)' \
	--asm fork.S --entry _start
refuse 'there is no symbol '"'nosuch'" --elf fib --entry nosuch
refuse 'there is no symbol '"'nosuch'" --elf fib --entry _start --trace-call nosuch
refuse 'the program made no call of _start (a jump there is none)' --elf fib --entry fib \
	--trace-call _start
refuse '--trace-call: expected --entry' --elf fib --trace-call fib
refuse '--entry: expected a whole program, which makes its own calls, got --call too' --elf fib \
	--entry fib --call fib
refuse '"registers" does not go with "entry"' --elf fib --entry fib --set-reg rdi=1
printf '_start: mov $60, %%eax\n syscall\nf: ret' >early.S
refuse 'the program ended before it came to its entry at _start+0x5 (0x400005): syscall; its exit status was 0' \
	--asm early.S --entry f
printf '_start: jmp _start\n' >loop.S
refuse 'did not return within the budget' --asm loop.S --entry _start
printf 'int main(void) { return 0; }' | gcc -x c -o dynamic -
refuse 'the program is linked dynamically' --elf dynamic --entry _start
printf 'int puts(const char *);\nint main(void) { return puts("") + 1; }' | gcc -x c -o importing -
refuse 'address puts, which is not in the file unless it is linked with -static (0x' \
	--elf importing --entry main
printf '{ "core": { "file": "c" }, "entry": "main" }' >core.json
refuse '"entry" does not go with "core"' ./core.json
printf '{ "elf": { "file": "fib" }, "entry": "main", "scenario": { "depth": 1 } }' >scenario.json
refuse '"scenario" does not go with "entry"' ./scenario.json

exit $bad
