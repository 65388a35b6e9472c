# SPDX-License-Identifier: GPL-2.0-or-later
#
# Control-flow enforcement beside the explanation: the verdict in each format, code that takes
# another way with shadow stacks, and indirect branch tracking.

set -eu

fail()
{
	echo "$*"
	exit 1
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

words()
{
	tr -s ' \t\n' '   '
}

# Documentation/arch/x86/shstk.rst: a return address that was dropped or rewritten faults.
"$RSBSIM" explain bpf-fexit-skip | words |
	grep 'shadow stack: violates: `ret` at trampoline+0x[0-9a-f]* returns to rsb_landing, where the shadow stack has target+0x5 ' \
		>/dev/null || fail 'bpf-fexit-skip violates'
"$RSBSIM" explain bpf-fexit-jmp --format markdown |
	grep '^- Shadow stack: clean: each return goes where its call was made ' >/dev/null ||
	fail 'bpf-fexit-jmp is clean'
# Documentation/arch/x86/shstk.rst: the kernel has no shadow stack, so that its returns are not
# judged.
"$RSBSIM" explain syscall-pti-off | words |
	grep 'clean: each return outside the kernel goes where its call was made; what runs there is not judged' \
		>/dev/null || fail 'syscall-pti-off is not judged inside'
json=$("$RSBSIM" explain bpf-fexit-skip --format json | words)
for part in '"shadow_stack": { "answer": "violates",' '"left": 1,' '"inside": true,' \
	'"ibt": null'; do
	case $json in
	*"$part"*) ;;
	*) fail "no $part in: $json" ;;
	esac
done

# xor eax, eax; rdsspq rax; test rax, rax; je 1f; add rsp, 8; mov ecx, 1; incsspq rcx; jmp [rsp -
# 8]; 1: ret: with shadow stacks it leaves by a jump, and drops the entry from both.
cat >"$dir/asks.json" <<'LAYOUT'
{ "name": "asks", "call": "0x401000", "bytes": { "base": "0x401000",
  "hex": "31 c0 f3 48 0f 1e c8 48 85 c0 74 12 48 83 c4 08 b9 01 00 00 00 f3 48 0f ae e9 ff 64 24 f8 c3" } }
LAYOUT
"$RSBSIM" explain "$dir/asks.json" | grep '^Every return is predicted' >/dev/null ||
	fail 'without shadow stacks it returns'
"$RSBSIM" explain "$dir/asks.json" --shadow-stack >"$dir/on"
grep '^1\. skipped-frame' "$dir/on" >/dev/null ||
	fail "with them it leaves by a jump: $(cat "$dir/on")"
grep '^shadow stack: clean: each return goes where its call was made$' "$dir/on" >/dev/null ||
	fail "which keeps both stacks alike: $(cat "$dir/on")"

# lea rax, [1f]; jmp rax; 1: ret
for ibt in false true; do
	cat >"$dir/jump.json" <<LAYOUT
{ "name": "jump", "call": "0x401000", "ibt": $ibt,
  "bytes": { "base": "0x401000", "hex": "48 8d 05 02 00 00 00 ff e0 c3" } }
LAYOUT
	"$RSBSIM" explain "$dir/jump.json" >"$dir/$ibt"
done
grep '^ibt:' "$dir/false" && fail 'nothing is tracked where it is off'
grep '^ibt: violates: `jmp rax` at 0x401007 lands on no endbr64: `ret` at 0x401009$' "$dir/true" \
	>/dev/null ||
	fail "no endbr64: $(cat "$dir/true")"
