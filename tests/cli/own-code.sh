# SPDX-License-Identifier: GPL-2.0-or-later
#
# Code by options: in every command, as a layout file would have it; and what is refused, with one
# message and status 2.

set -eu
command -v as >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bad=0

fail()
{
	echo "$*"
	bad=1
}

# A call over an int3, and a return that goes past it: one call too many.
hex='e8 01 00 00 00 cc 48 83 c4 08 c3'
cat >skip.s <<'EOF'
	.globl	skip
skip:	call	1f
	int3
1:	add	$8, %rsp
	ret
EOF
printf '.globl skip\n#define TARGET 1f\nskip: call TARGET\n int3\n1: add rsp, 8\n ret\n' >skip.S
as skip.s -o skip.o

# The figures are the same whatever the code came from: one call is left over, so the function's own
# return and the eight callers' miss.
figures()
{
	"$RSBSIM" score "$@" --scenario unwind --format csv | tr -d '\r' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		NR > 1 { print $c["layout"], $c["balance"], $c["misses_inside"], $c["misses_callers"] }'
}

expect()
{
	want=$1
	shift
	got=$(figures "$@") || fail "score $*: status $?"
	[ "$got" = "$want" ] || fail "score $*: $got; expected $want"
}

expect '0x401000 1 1 8' --bytes "$hex"
expect '0x7000 1 1 8' --bytes "$hex" --base 0x7000
expect '0x401000 1 1 8' --bytes "$(objdump -d skip.o)"
expect 'skip 1 1 8' --asm skip.s --call skip
expect 'skip 1 1 8' --asm skip.S --syntax intel --call skip
expect 'skip 1 1 8' --elf skip.o --call skip
expect '.text 1 1 8
skip 1 1 8' --elf skip.o --call skip --call .text
printf '{ "name": "skip", "asm": { "file": "skip.S", "syntax": "intel" }, "call": "skip" }' \
	>skip.json
expect 'skip 1 1 8' ./skip.json

# Of a just-in-time compiler: a function that returns, and one that was loaded again and moved.
dump=$srcdir/tests/fuzz/corpus/jitdump
expect 'f 0 0 0
g 0 0 0' --jitdump "$dump/good" --call f --call g
"$RSBSIM" score --jitdump "$dump/moved" --call f --format json |
	grep 'f was loaded 2 times; the last one has the name' >/dev/null || fail 'no note of f'

# Registers, memory and a segment base: a function that returns when all are there.
cat >needs.s <<'EOF'
needs:	mov	(%rdi), %rax
	mov	(%rsi), %rax
	cmp	%gs:8, %rax
	jne	1f
	call	made
	ret
1:	hlt
EOF
expect 'needs 0 0 0' --asm needs.s --call needs --set-reg rdi=scratch --set-reg rsi=0x7000 \
	--map 0x7000:4096=0102030405060708 --map 0x9000:16=00000000000000000102030405060708 \
	--gs-base 0x9000 --stub made
# A value may be decimal.
expect 'needs 0 0 0' --asm needs.s --call needs --set-reg rdi=scratch --set-reg rsi=28672 \
	--map 0x7000:4096=0102030405060708 --map 0x9000:16=00000000000000000102030405060708 \
	--gs-base 0x9000 --stub made

# What was made up is said, also by explain; and every command takes the options.
"$RSBSIM" explain --asm needs.s --call needs --set-reg rdi=scratch --set-reg rsi=scratch \
	--gs-base 0x9000 --map 0x9000:16 --format json |
	grep 'needs.s does not define these, so they return at once: made' >/dev/null ||
	fail 'explain has no note'
"$RSBSIM" show --asm skip.s --call skip | grep 'add rsp, 8' >/dev/null || fail 'show'
"$RSBSIM" trace record --elf skip.o --call skip -o skip.rsbt || fail 'trace record'
"$RSBSIM" sweep --asm skip.s --call skip --set depth=8,16 >out || fail 'sweep'
status=0
"$RSBSIM" check --bytes "$hex" >out || status=$?
[ "$status" = 1 ] || fail "check: status $status"

# Warnings of the assembler are notes.
printf 'f: ret\n.warning "careful"\n' >warns.s
"$RSBSIM" score --asm warns.s --call f --format json |
	grep 'warns.s:2: Warning: careful' >/dev/null ||
	fail 'no warning'

# No temporary folder is left behind.
mkdir temporary
TMPDIR=$dir/temporary "$RSBSIM" score --asm skip.S --syntax intel --call skip >out
TMPDIR=$dir/temporary "$RSBSIM" score --asm ./bad.s --call f >out 2>&1 || :
[ -z "$(ls temporary)" ] || fail "left: $(ls temporary)"

# Standard input that is a file is one for rsbsim, but the assembler has another one.
for path in /dev/stdin /dev/fd/0; do
	[ -e "$path" ] || continue
	status=0
	"$RSBSIM" score --asm "$path" --call skip <skip.s >out 2>err || status=$?
	[ "$status" = 2 ] && [ ! -s out ] &&
		grep -q "$path: expected the file's own name, for the assembler\$" err ||
		fail "$path: status $status, $(cat err)"
done

# Each row: the command line, a bar, and a part of the message.
printf 'f: ret\n frobnicate %%rax\n gnat\n' >bad.s
printf 'f: ret\n.skip 0x20000000\n' >large.s
printf '#include "none.h"\nf: ret\n' >bad.S
printf 'not ELF' >text.o
head -c 100 skip.o >short.o
printf 'JiTD' >swapped.dump
printf 'JITD' >other.dump
while IFS='|' read -r line message; do
	status=0
	# shellcheck disable=SC2086
	"$RSBSIM" $line >out 2>err </dev/null || status=$?
	if [ "$status" != 2 ] || [ -s out ] || [ "$(wc -l <err)" != 1 ] ||
		! grep -qF -- "$message" err; then
		fail "rsbsim $line: status $status, expected 2 and: $message"
		cat out err
	fi
done <<'ROWS'
score --asm bad.s --call f|bad.s:2: Error: no such instruction: `frobnicate %rax' (and 1 more)
score --asm bad.S --call f|none.h
score --asm large.s --call f|large.s: the assembler ended without a message
score --asm none.s --call f|rsbsim score: none.s: cannot be opened
score --asm - --call f|rsbsim score: -: expected a file: code is read more than once
score --elf - --call f|rsbsim score: -: expected a file: code is read more than once
score --asm . --call f|is not a regular file
score --asm skip.s|rsbsim score: --asm: expected --call, the function to call, beside it
score --asm skip.s --call skip --syntax masm|rsbsim score: --syntax: expected att or intel, got 'masm'
score --asm skip.s --elf skip.o --call skip|rsbsim score: --asm: expected one source of code, got --elf too
score --asm skip.s --call skp|"call": there is no symbol 'skp'; the nearest: skip
score --elf skip.o --call skip --syntax intel|unknown key "syntax"
score --elf none.o --call f|none.o: cannot be opened
score --elf text.o --call f|text.o: is not an ELF file
score --elf short.o --call f|short.o: is cut short
score --elf skip.o --call skip --base 0x10001|base 0x10001: expected a multiple of 4096
score --elf skip.o --call skip --base x|"base": expected an address
score --elf skip.o --call skip --define x|rsbsim score: --define: expected SYMBOL=OTHER, got 'x'
score --elf skip.o --call skip --set-reg rdi|rsbsim score: --set-reg: expected REGISTER=VALUE, got 'rdi'
score --elf skip.o --call skip --set-reg rdi=zz|--set-reg: expected REGISTER=VALUE, a value like 7, 0x401000 or scratch, got 'rdi=zz'
score --elf skip.o --call skip --set-reg rdi=-1|or scratch, got 'rdi=-1'
score --elf skip.o --call skip --set-reg rdi=0x10000000000000000|or scratch, got 'rdi=0x1
score --elf skip.o --call skip --set-reg rsp=1|unknown key "rsp"
score --elf skip.o --call skip --map 0x7000|rsbsim score: --map: expected ADDRESS:SIZE, got '0x7000'
score --elf skip.o --call skip --map 0x7000:0|rsbsim score: --map: expected ADDRESS:SIZE, got '0x7000:0'
score --elf skip.o --call skip --stub none|"stub": there is no symbol 'none'
score --jitdump none.dump --call f|none.dump: cannot be opened
score --jitdump swapped.dump --call f|swapped.dump: expected a jitdump of x86-64, found one
score --jitdump other.dump --call f|other.dump: is not a jitdump
score --core skip.o --call 0x1000|skip.o: expected a core
score --core skip.o --call f|rsbsim score: --call: expected --symbols, the core's, beside it, or an address, got 'f'
score skip.s|skip.s: expected a layout, and this is assembly: --asm skip.s --call FUNCTION
score skip.o|skip.o: expected a layout, and this is an ELF file: --elf skip.o --call FUNCTION
score nosuch|rsbsim score: there is no layout 'nosuch': rsbsim list layouts shows them, and a file's path
score bpf-fexit-jump|rsbsim score: there is no layout 'bpf-fexit-jump'; the nearest: bpf-fexit-jmp
score --bytes e8zz|"hex": expected pairs of hexadecimal digits, found "zz" at character 3
score --call f|rsbsim score: --call: expected code beside it
show --stub f plain-call|rsbsim show: --stub: expected code beside it
show --bytes c3 plain-call|rsbsim show: expected one layout, got '0x401000' too
ROWS
exit $bad
