#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-corpus.sh FOLDER: writes the seeds of all fuzzers, as they are in tests/fuzz/corpus. To add a
# seed: a line here, and run it on that folder. What a fuzzer found is put there by hand, and called
# found-...; tests/fuzz/check-corpus.sh sees that there is nothing else.

set -eu

samples=$(cd "$(dirname "$0")/../../traces/samples" && pwd)
cpus=$(cd "$(dirname "$0")/../../models/cpus" && pwd)
baselines=$(cd "$(dirname "$0")/../cli" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
imports=$(cd "$(dirname "$0")/../import" && pwd)
cd "$1"
mkdir -p answers baseline bases core elf hex jitdump kallsyms layout lesson part profile report
mkdir -p trace trace_text
mkdir -p import_cbp import_champsim import_drmemtrace import_perf

# Layout files: every key once, and what can go wrong with each source.

cat >layout/generate.json <<'EOF'
{ "name": "a", "summary": "b", "arch": "x86_64", "source": "c",
  "generate": { "family": "bpf-trampoline", "attach": "jmp", "fexit": 1, "return_thunk": "srso", "indirect": "retpoline" },
  "stub": [ "target" ], "intended": [ "tramp*" ],
  "scenario": { "depth": 8, "batch": 100, "spacing": 128 },
  "expect": { "balance_layout": 0, "misses_inside": 0.5 } }
EOF
cat >layout/bytes.json <<'EOF'
{ "bytes": { "hex": "e8 01 00 00 00 90 c3", "base": "0x401000" }, "call": "0x401000",
  "registers": { "rdi": "scratch", "rsi": "0x10", "r15": 7 },
  "memory": [ { "at": "0x7000", "size": 4096, "hex": "01" }, { "at": "0x401006", "hex": "c3" } ],
  "gs_base": "0x7000", "fs_base": 28672 }
EOF
cat >layout/core.json <<'EOF'
{ "core": { "file": "linux.core", "symbols": "linux.kallsyms" }, "call": "__x64_sys_getsid" }
EOF
cat >layout/syscall.json <<'EOF'
{ "core": { "file": "x.core", "symbols": "x.kallsyms" }, "syscall": 124, "registers": { "rsi": "scratch" } }
EOF
cat >layout/environment.json <<'EOF'
{ "bytes": { "hex": "b8 27 00 00 00 0f 05 c3", "base": "0x401000" }, "call": "0x401000",
  "environment": { "syscall": "fill 32", "interrupt": [ { "at": "rsb_landing+0x3", "does": "clear", "every": 3 } ],
    "switch": [ { "at": "0x401005" } ], "ibpb": [ { "at": "rsb_traced_call" } ],
    "shadow": [ { "at": "0x401000", "does": "push" }, { "at": "0x401000", "does": "replace" } ] } }
EOF
cat >layout/program.json <<'EOF'
{ "bytes": { "hex": "e8 07 00 00 00 b8 3c 00 00 00 0f 05 c3", "base": "0x401000" },
  "entry": "0x401000", "trace_call": "0x40100c" }
EOF
echo '{ "bytes": { "hex": "c3", "base": 0 }, "generate": { "family": "plain-call" } }' \
	>layout/two.json
echo '{ "bytes": { "hex": "c", "base": "0xffffffffffffffff" }, "call": "f" }' >layout/odd.json

# Lessons, and predictions in the one that the fuzzer has.

cat >lesson/all.lesson <<'EOF'
% A comment.
# A title
version: 1
summary: A sentence.
let x = misses of plain-call on intel-haswell with depth=1, underflow=none by srso in bench
let y = calls of plain-call on amd-zen4 below 3 times 4
let z = x + y
let f = fewest of plain-call, bpf-fentry on ideal

Some `text` with {x}
in two lines.

## A heading
- an item
- another
	lines as
	they are
$ rsbsim score plain-call | head -n 3

? q = f
Which?
* plain-call: that
* bpf-fentry

? n = z
How many?

? w = z
Why?
= Because of {x},
that is why.

play plain-call on ideal in bench
EOF
printf '# T\nversion: 1\nsummary: S\nlet a = a - a\n? q\n* c\n{' >lesson/odd.lesson
cat >answers/good.json <<'EOF'
{ "schema": 1, "lesson": "t", "version": 1, "questions": 2, "right": 1, "answers": [
  { "question": "n", "prediction": "32", "computed": "32", "right": true },
  { "question": "c", "prediction": null, "computed": "32", "right": false } ] }
EOF
echo '{ "lesson": "t", "version": 2, "answers": [ { "question": "n", "prediction": "b" } ] }' \
	>answers/short.json
echo '{ "lesson": "t", "version": 1, "answers": [ { "question": "x", "prediction": "" }, 1 ] }' \
	>answers/odd.json

# Profiles: some built-in ones, and what the manual's example has not.

cp "$cpus/intel-haswell.json" profile/ring
cp "$cpus/amd-zen4.json" profile/zen
cp "$cpus/amd-bobcat.json" profile/unknown
cat >profile/odd <<'END'
{ "name": "x", "summary": "s", "vendor": "v", "arch": "x86_64", "version": 1, "model": "ring",
  "fields": { "depth": { "value": null, "assumed": 16, "others": [ 8, 32 ], "strength": "assumed", "source": "s" },
    "width": { "value": [ 4, 6 ], "strength": "rtl", "source": "s" } },
  "mitigations": { "return_thunk": { "value": "srso", "strength": "vendor", "source": "s" } },
  "notes": [ "n" ] }
END

# Baselines.

cat >baseline/two <<'END'
{ "schema": 1, "tool": "rsbsim", "entries": [
  { "rule": "RSB002", "layout": "a", "cpu": "amd-zen4", "fingerprint": "356983aaa5e0a2eb", "cause": "skipped-frame",
    "count": 1, "symbol": "t", "model": "ring of 32", "profile": "1", "reason": "r", "expires": "2027-01-31" },
  { "rule": "RSB001", "layout": "b", "cpu": "x", "fingerprint": "0000000000000000" } ] }
END
cp "$baselines/baseline.json" baseline/own

# Base times: two layouts that native measured, one that it did not, and a result in doubt.

cat >bases/two <<'END'
{ "schema": 1, "cpu": "intel-golden-cove", "cpu_by_cpuid": true, "indirect": null, "visits": 5,
  "results": [ { "scenario": { "name": "bench", "depth": 8, "batch": 100, "spacing": 128 }, "doubt": null,
    "layouts": [
      { "layout": "plain-call", "return_thunk": "none", "refused": null, "simulated": 0,
        "base": { "low": 4, "median": 4.5, "high": 5 }, "variants": [] },
      { "layout": "stub", "return_thunk": null, "refused": null, "base": { "low": null, "median": null, "high": null } },
      { "layout": "makecontext", "return_thunk": "none", "refused": "it has incidents" } ] },
    { "scenario": { "name": "own", "depth": 4, "batch": 1, "spacing": 64 }, "doubt": "too noisy", "layouts": [ {} ] } ] }
END
cat >bases/odd <<'END'
{ "cpu": "x", "indirect": "retpoline", "results": [ { "scenario": { "depth": 0, "batch": 1, "spacing": 32 },
  "layouts": [ { "layout": "a", "base": { "low": 2e0, "median": 1, "high": 3 } } ] } ] }
END

# Parts of sweeps: whole ones, of a layout and of a trace, and one of two.

part() {
	printf '{ "schema": 1, "rsbsim": "0.1.0", "sweep": { %s, "checksum": "0xa1df8e81633604aa", %s
  "cpus": [ { "name": "intel-haswell", "checksum": "0x7316b545b547e539" } ],
  "parameters": [ { "name": "depth", "values": [ "8", "16" ] } ] },
  "shard": 1, "shards": %s, "rows": [ %s ] }\n' "$@"
}

scenario='"scenarios": [ { "name": "unwind", "depth": 8, "batch": 1, "spacing": 128 } ],'
part '"layout": "a"' "$scenario" 1 '[ 21, 9, 1, 8 ], [ 21, 9, 1, 8 ]' >part/layout
part '"layout": "a"' "$scenario" 2 '[ 21, 9, 1, 8 ]' >part/half
part '"layouts": [ { "name": "a", '"${scenario%,}"' }, { "name": "b", '"${scenario%,}"' } ]' '' 1 \
	'[ 21, 9, 1, 8 ], [ 21, 9, 1, 8 ], [ 9, 9, 1, 8 ], [ 9, 8, 1, 7 ]' >part/layouts
part '"trace": "t"' '' 1 '[ 21, 9, 1, 8 ], [ 21, 9, 1, 8 ]' >part/trace

# What a guest tells.

printf 'ffffffff81000000 T _text\n\ndone\n' >report/good
printf 'failed fexit f 2 No such file or directory\n\ndone\n' >report/failed
printf 'failed\n\ndone\n' >report/short
printf '[    9.4] Kernel panic - not syncing: VFS\n\033[2J' >report/panic

# Kallsyms.

printf '0000000000000000 A fixed_percpu_data\nffffffff81000000 T _text\nffffffff81000000 T _stext\n' >kallsyms/kernel
printf 'ffffffff82574e20 D __per_cpu_offset\nffffffffc0201000 t bpf_trampoline_1\t[bpf]\n' \
	>>kallsyms/kernel
printf 'ffffffff81f04104 T srso_alias_safe_ret\nffffffff81f0410b T srso_alias_return_thunk' \
	>>kallsyms/kernel
printf 'ffffffff81000000 t f\nffffffff81000000 t f\nffffffffc0000000 t f [m]\n' >kallsyms/ambiguous
printf '0000000000000000 T _text\n0000000000000000 T _stext\n' >kallsyms/hidden
printf '1 T\n' >kallsyms/short

# Cores. bytes COUNT VALUE prints a little-endian number.

bytes() {
	count=$1
	value=$(($2))
	while [ "$count" -gt 0 ]; do
		printf '%b' "\\0$(printf '%03o' $((value & 255)))"
		value=$((value >> 8))
		count=$((count - 1))
	done
}

# header TYPE MACHINE PHNUM SHOFF SHNUM
header() {
	printf '\177ELF\002\001\001'
	bytes 9 0
	bytes 2 "$1"; bytes 2 "$2"; bytes 4 1; bytes 8 0; bytes 8 64; bytes 8 "$4"; bytes 4 0
	bytes 2 64; bytes 2 56; bytes 2 "$3"; bytes 2 64; bytes 2 "$5"; bytes 2 0
}

# segment OFFSET ADDRESS FILESZ MEMSZ
segment() {
	bytes 4 1; bytes 4 7; bytes 8 "$1"; bytes 8 "$2"; bytes 8 0; bytes 8 "$3"; bytes 8 "$4"
	bytes 8 4096
}

# noteheader OFFSET SIZE
noteheader() {
	bytes 4 4; bytes 4 4; bytes 8 "$1"; bytes 8 0; bytes 8 0; bytes 8 "$2"; bytes 8 0; bytes 8 4
}

{ header 4 62 1 0 0; segment 120 -2130706432 16 16; bytes 8 0xc3; bytes 8 0; } >core/good
{ header 4 62 2 0 0; segment 176 0x1ff8 16 16; segment 184 0x2008 8 4096; bytes 8 1; bytes 8 2; } \
	>core/unaligned
{ header 4 62 2 0 0; segment 176 0x1000 8 8; segment 176 0x1007 8 8; bytes 8 1; } >core/overlap
{ header 4 62 1 0 0; segment 120 0x1000 0x1000 0x1000; } >core/truncated
{ header 4 62 1 0 0; segment -8 0x1000 16 16; } >core/offset
{ header 4 62 1 0 0; segment 120 -4096 8192 8192; } >core/wraps
{ header 2 62 0 0 0; } >core/executable

# Of a process: the program's entry, and a mapped file; of a kernel: how far it was moved.
{
	header 4 62 2 0 0
	segment 176 0x1000 16 16
	noteheader 192 100
	bytes 16 0xc3
	bytes 4 5; bytes 4 16; bytes 4 6; printf 'CORE\0\0\0\0'; bytes 8 9; bytes 8 0x1000
	bytes 4 5; bytes 4 44; bytes 4 0x46494c45; printf 'CORE\0\0\0\0'
	bytes 8 1; bytes 8 4096; bytes 8 0x5000; bytes 8 0x6000; bytes 8 0; printf '/a\0\0'
} >core/process
{
	header 4 62 2 0 0
	segment 176 0x1000 16 16
	noteheader 192 48
	bytes 16 0xc3
	bytes 4 11; bytes 4 24; bytes 4 0; printf 'VMCOREINFO\0\0A=1\nKERNELOFFSET=1a0000\n'
} >core/kernel
{ header 4 62 65535 64 1; bytes 44 0; bytes 4 1; bytes 16 0; } >core/extended
printf '\177ELF\002\001' >core/short
python3 "$here/make-kdump.py" core/kdump
head -c 9000 core/kdump >core/kdump-cut

# Traces: the samples, and what they do not have. The fuzzer makes checksums right.

cp "$samples"/*.rsbt trace/

start() {
	printf '\211rsbt\r\n\032\004\003\002\001\001\000\000\000'
}

# chunk KIND COUNT SIZE: the header; its bytes follow.
chunk() {
	printf '%s' "$1"
	bytes 4 "$2"; bytes 4 "$3"; bytes 4 "$3"; bytes 4 0
}

{
	start
	chunk ABOU 1 12; printf 'arch\000x86_64\000'
	# A call at 0x10, a return at 0x18; the guesses: two sites, then the addresses 0x15 and
	# 0x19.
	chunk SITE 2 21; printf '\000\005\000\000\000\000\040f\000'
	printf '\001\001\000\000\000\000\010\000'; printf '\000\000\000\000'
	chunk EVNT 3 11; printf '\000\021\001\004\023\000\003\007\021\001\002'
	chunk DONE 0 16; bytes 8 3; bytes 8 0
} >trace/plain
{ start; chunk EVNT -1 -1; } >trace/huge
start >trace/empty

cp "$samples"/*.txt trace_text/
cat >trace_text/words <<'EOF'
rsbsim-trace 1
about arch x86_64
call 0x10+5 -> 0x15 zero-call
call 0x15+2 -> 0x20 indirect for-jump
swap 0x20+2 -> 0x17
not-taken-branch 0x30+2 -> 0x32
interrupt 0x32 -> 0xffffffffffffffff
environment:fill 0 -> 0 count=32
mark:round 0 -> 0
round 3 2 1
thread 18446744073709551615
instructions 18446744073709551615
EOF
printf 'rsbsim-trace 1\ncall 0x10 -> 0x20\n' >trace_text/lengthless
printf 'call 0x10+5 -> 0x20\n' >trace_text/headless

# Importers: a walk of a few steps in each form, the long ones cut; and one line of each odd form.

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
python3 "$imports/make-samples.py" "$made" 60
for path in "$made"/*; do
	name=${path##*/}
	case $name in
	cbp* | cvp) head -c 2000 "$path" >"import_cbp/$name" ;;
	champsim*) head -c 3840 "$path" >"import_champsim/$name" ;;
	*) head -c 3600 "$path" >"import_${name%%-*}/$name" ;;
	esac
done
cat >import_perf/odd <<'EOF'
# comment
1632847      5f66b79201a2 0x5f66b79201aa/0x5f66b792018c/PN/X/A/0//SPEC_WRONG_PATH
 a<b, c>::d()+0x1(/x/y)/[unknown]/M/-/-/1/IND_CALL [unknown]/g+0x0/-/-/-/-/RET/-
 f.cold+0x0/f+0x6/P/-/-/1 f+0x1/f.cold+0x0/P/-/-/1 0x0/0x0/P/-/-/0
x 1/2 1.5: branches: hw int/miss/ (xD) 1234 f+0x1 (f) => 5678 g (g) ilen: 5
x 1/2 1.5: branches: bcs 1234 f+0x1 (f) => 0 g (g) insn: e8 00 00
x 1/2 1.5: branches: call f+0x1
EOF
printf ' 0x10/0x20/P/-/-/1/ \n' >import_perf/slash
printf '\031\000\000\000\010\000\000\000\000\000\000\000' >import_drmemtrace/newer
printf '\000\031\000\000\000\000\000\000\000\000\000\002' >import_drmemtrace/other-order

# Object files, executables and shared objects: as the assembler and the linker make them.

as --64 -o elf/object - <<'EOF'
	.globl	f
f:	call	other
	mov	data@GOTPCREL(%rip), %rax
	jmp	__x86_indirect_thunk_rax
	.section .rodata
	.long	f - ., data - .
	.quad	f, other, maybe, data@GOTOFF
	.weak	maybe
	.data
data:	.quad	f + 4
	.comm	shared, 8, 16
	.section .tbss, "awT"
	.skip	8
EOF
as --64 -o elf/indirect - <<'EOF'
	.type	chosen, @gnu_indirect_function
	.globl	f, chosen
chosen:	ret
f:	jmp	chosen
EOF
ld -z noseparate-code -z max-page-size=4096 -e f -o elf/executable elf/indirect
ld -shared -Bsymbolic -z noseparate-code -z max-page-size=4096 -z notext -o elf/shared elf/object
ld -pie -z noseparate-code -z max-page-size=4096 -z pack-relative-relocs -e f \
	--defsym other=f --defsym __x86_indirect_thunk_rax=f -o elf/relative elf/object
strip -o elf/stripped elf/shared
head -c 200 elf/object >elf/short
{ header 2 62 2 0 0; segment 176 0x1000 8 8; segment 176 0x1007 8 8; bytes 8 1; } >elf/overlap
{ header 2 62 1 0 0; segment 0 0x1000 120 0x7fffffffffff; } >elf/large
{ header 3 62 1 0 0; segment 0 -4096 120 4096; } >elf/wraps

# Jitdumps. jit_header MAGIC MACHINE; jit_load NAME ADDRESS INDEX: 4 bytes of code.

jit_header() {
	bytes 4 "$1"; bytes 4 1; bytes 4 40; bytes 4 "$2"; bytes 24 0
}

jit_load() {
	bytes 4 0; bytes 4 $((16 + 40 + ${#1} + 1 + 4)); bytes 8 0
	bytes 16 0; bytes 8 "$2"; bytes 8 4; bytes 8 "$3"
	printf '%s\0' "$1"; bytes 4 0xc3c3c3c3
}

jit_move() {
	bytes 4 1; bytes 4 64; bytes 8 0; bytes 16 0; bytes 8 "$1"; bytes 8 "$2"; bytes 8 4; bytes \
		8 "$3"
}

{ jit_header 0x4a695444 62; jit_load f 0x1000 1; jit_load g 0x1ffe 2; bytes 4 3; bytes 4 16; bytes \
	8 0; } >jitdump/good
{ jit_header 0x4a695444 62; jit_load f 0x1000 1; jit_load f 0x1002 2; jit_move 0x1002 0x3000 2; } \
	>jitdump/moved
{ jit_header 0x4a695444 62; jit_load f 0x1000 1; jit_move 0x1000 -2 1; } >jitdump/wraps
{ jit_header 0x4a695444 62; bytes 4 2; bytes 4 0xffffffff; bytes 8 0; } >jitdump/truncated
{ jit_header 0x4454694a 62; } >jitdump/swapped
{ jit_header 0x4a695444 183; } >jitdump/machine

# Hexadecimal text.

printf 'e8 01\n\\x00 0x00,00' >hex/mixed
printf 'f.o:     file format elf64-x86-64\n\n0000000000000000 <f>:\n   0:\t90   \tnop\n   1:\tc3   \tret\n' >hex/objdump
printf '0x10 <f>:\t0xe8\t0x01\n0x12 <f+2>:\t0xc3\n' >hex/gdb
printf 'char a[] = { 0xe8, 0x01 };' >hex/array
printf '0:\tc3\tret\n2:\tc3\n' >hex/hole
