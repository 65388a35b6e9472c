# SPDX-License-Identifier: GPL-2.0-or-later
#
# Why returns miss: the chain of bpf-fexit-skip in one screen, the same as JSON and Markdown, and
# nothing where nothing misses.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# Linux 6.12, arch/x86/net/bpf_jit_comp.c: leave, add rsp, 8, ret. The return predicts the address
# behind the call of the trampoline, and goes to the caller; the 8 callers of the scenario follow.
text=$("$RSBSIM" explain bpf-fexit-skip)
words=$(printf '%s\n' "$text" | tr -s ' \n' '  ')
[ "$(printf '%s\n' "$text" | wc -l)" -le 24 ] || fail "more than a screen: $text"
for part in 'bpf-fexit-skip on intel-haswell (ring of 16), unwind: depth 8, batch 1' \
	'1. skipped-frame: 1 miss inside and 8 in callers a call, balance +1' \
	'was predicted to go to target+0x5, pushed by the call at target, and went to rsb_landing.' \
	'the return address target+0x5, pushed by the call at target, is dropped without a return' \
	'8 caller returns follow from the same cause, the last to rsb_round+' \
	'(bpf-fexit-jmp: balanced, no miss)' '(bpf-fexit-double-ret: balanced, one miss a call)'; do
	case $words in
	*"$part"*) ;;
	*) fail "no \"$part\" in: $text" ;;
	esac
done
printf '%s\n' "$text" | grep -A1 '^   > trampoline+0x[0-9a-f]*  48 83 c4 08  *add rsp, 8$' |
	grep 'c3  *ret$' >/dev/null || fail "the culprit is not marked in its code: $text"
printf '%s\n' "$text" | grep '^2\. ' >/dev/null && fail "more than one finding: $text"

# One is not many.
"$RSBSIM" explain signal-frame | tr -s ' \n' '  ' |
	grep '1 other return inside and 9 caller returns follow' >/dev/null ||
	fail 'signal-frame has one other return inside'

# A line for each of the nine misses.
all=$("$RSBSIM" explain bpf-fexit-skip --all)
[ "$(printf '%s\n' "$all" | grep -c ' shifted  *1  *1$')" = 8 ] || fail "not 8 knock-ons: $all"
[ "$(printf '%s\n' "$all" | grep -c ' skipped-frame  *1  *1$')" = 1 ] || fail "no first miss: $all"

[ "$all" = "$(printf '%s\n' "$all" | cat -s)" ] || fail "two empty lines: $all"

# A long name does not make a line longer than 100.
name=$(printf '%060d' 1)
printf '{ "name": "%s", "generate": { "family": "plain-call" } }\n' "$name" >"$dir/$name.json"
"$RSBSIM" explain "$dir/$name.json" --all | awk 'length > 100 { bad = 1 } END { exit bad }' ||
	fail 'a line of more than 100'

# An instruction of twelve bytes moves the others of its code too, here and in a listing.
if command -v as >"$dir/as" 2>&1; then
	printf 'drops: call 1f\n int3\n1: movq $1, -512(%%rsp)\n pop %%rax\n ret\n' >"$dir/drops.S"
	for command in explain show; do
		columns=$("$RSBSIM" "$command" --asm "$dir/drops.S" --syntax att --call drops |
			awk '/ (48 c7 84|58  )/ && match($0, /(mov qword|pop rax)/) { print RSTART }' |
			uniq -c | awk '{ print $1 }')
		[ "$columns" = 2 ] || fail "$command: the code is not in one column"
	done
fi

# An entry that an event put there was pushed by no call.
cat >"$dir/event.json" <<'LAYOUT'
{ "name": "filled", "generate": { "family": "plain-call" }, "environment":
  { "interrupt": [ { "at": "target", "does": "fill 32" } ] } }
LAYOUT
"$RSBSIM" explain "$dir/event.json" | tr -s ' \n' '  ' >"$dir/event"
grep 'as a fill 32 at target put there, and went to rsb_landing' "$dir/event" >"$dir/line" ||
	fail "what the event put there: $(cat "$dir/event")"

# One watched run serves several CPUs.
[ "$("$RSBSIM" explain bpf-fexit-skip --cpu intel-haswell,amd-zen4 |
	grep -c '^1\. skipped-frame')" = 2 ] ||
	fail 'not on two CPUs'

# A rule is shown by its name as by its id.
[ "$("$RSBSIM" explain miss-inside)" = "$("$RSBSIM" explain RSB001)" ] || fail 'the name of a rule'

# Balanced code, and a scenario of one's own that makes it overflow.
"$RSBSIM" explain bpf-fexit-jmp |
	grep '^Every return is predicted, and the return stack is balanced\.$' \
	>/dev/null || fail 'bpf-fexit-jmp is balanced'
"$RSBSIM" explain plain-call --depth 40 |
	grep '^1\. overflow: 0 misses inside and 25 in callers a call' \
	>/dev/null || fail '41 calls are open, 16 fit: 25 miss'

# Software accounting: a trampoline entered by jmp still counts the call that is not made.
cat >"$dir/layout.json" <<'LAYOUT'
{ "name": "jmp", "generate": { "family": "bpf-trampoline", "attach": "jmp", "fexit": 1,
  "return_thunk": "call-depth" } }
LAYOUT
"$RSBSIM" explain "$dir/layout.json" --cpu intel-skylake | tr -s ' \n' '  ' |
	grep 'accounting counts +1 a call where the return stack has 0: .sar .* at trampoline.* accounts for a call' \
		>/dev/null || fail 'the count that has no call'

# JSON has the same chain; without a finding the array is empty.
"$RSBSIM" explain bpf-fexit-skip --format json --output "$dir/json"
tr -d '\n\t' <"$dir/json" >"$dir/line"
for part in '"cause":"skipped-frame"' '"text":"add rsp, 8","bytes":"4883c408"' \
	'"predicted":{"pc":"0x[0-9a-f]*","symbol":"target+0x5"},"pushed_by":{"pc":"0x[0-9a-f]*","symbol":"target"' \
	'"misses_inside":1,"misses_callers":8,"balance":1' '"mitigation":null' \
	'"accounting":null'; do
	grep -- "$part" "$dir/line" >/dev/null || fail "no $part in: $(cat "$dir/json")"
done
"$RSBSIM" explain plain-call --format json | tr -d '\n\t' | grep '"findings":\[\]' >/dev/null ||
	fail 'plain-call has no finding'

# By --mitigations each CPU has the code that Linux has there (models/cpus): in the order of the
# CPUs, as if that thunk were asked for.
"$RSBSIM" explain bpf-fexit-skip --mitigations auto --cpu amd-zen4,intel-haswell,amd-zen3 \
	>"$dir/told"
# Where that changes nothing, whoever asked for it is told so.
grep -v '^note: intel-haswell: mitigations change nothing: by its profile' "$dir/told" >"$dir/auto"
[ "$(($(wc -l <"$dir/told") - $(wc -l <"$dir/auto")))" = 1 ] || fail 'mitigations without effect'
for each in 'amd-zen4 srso-alias' 'intel-haswell none' 'amd-zen3 srso-alias'; do
	"$RSBSIM" explain bpf-fexit-skip --cpu "${each% *}" --return-thunk "${each#* }"
	echo
done | sed '$d' | cmp - "$dir/auto" || fail '--mitigations auto'
grep -q 'on amd-zen3 (ring of 32), unwind: depth 8, batch 1, returns by srso-alias$' "$dir/auto" ||
	fail 'the thunk is not named'
"$RSBSIM" explain bpf-fexit-skip --cpu amd-zen4 >"$dir/plain"
"$RSBSIM" explain bpf-fexit-skip --cpu amd-zen4 --mitigations off | cmp - "$dir/plain" ||
	fail '--mitigations off'

"$RSBSIM" explain bpf-fexit-skip --format markdown | grep '^> trampoline+0x[0-9a-f]*: add rsp, 8$' \
	>/dev/null || fail 'no culprit in Markdown'
