# SPDX-License-Identifier: GPL-2.0-or-later
#
# rsbsim check: what it exits with, what goes where, and that one mistake is one finding.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	cat "$dir/out" "$dir/err"
	exit 1
}

# status EXPECTED ARGUMENT...: runs check, its output kept.
status()
{
	want=$1
	shift
	got=0
	"$RSBSIM" check "$@" >"$dir/out" 2>"$dir/err" || got=$?
	[ "$got" = "$want" ] || fail "check $*: status $got, expected $want"
}

# A balanced layout: nothing is found.
status 0 plain-call bpf-fexit-jmp bpf-fentry
grep -q '^0 errors, 0 warnings, 0 notes: 3 layouts on 1 CPU$' "$dir/out" || fail 'the summary'

# Skip-frame: one finding, at the instruction that drops the frame, with the misses of the issue.
status 1 bpf-fexit-skip
[ ! -s "$dir/err" ] || fail 'findings are for standard output'
[ "$(grep -c ' RSB[0-9]* ' "$dir/out")" = 1 ] || fail 'more than one finding'
grep -q 'error RSB002 imbalance on intel-haswell' "$dir/out" || fail 'the rule'
grep -q 'trampoline+0x[0-9a-f]* *add rsp, 8 ' "$dir/out" || fail 'the culprit'
tr -s ' \n' ' ' <"$dir/out" | grep -q '1 inside, 8 in callers' || fail 'the misses'

# What its file states in part is not accepted, and that is told.
tr -s ' \n' ' ' <"$dir/out" |
	grep -q 'not all of it is expected: the layout.s file states balance_layout and misses_inside, not misses_callers ' ||
	fail 'what is expected in part'

# What a layout expects, its author accepts: double-ret states its one miss inside.
status 0 bpf-fexit-double-ret
grep -q '^  accepted (as its file expects) RSB001 miss-inside' "$dir/out" ||
	fail 'accepted, and still shown'
sed 's/"misses_inside": 1/"misses_inside": 0/' "$srcdir/sim/layouts/bpf-fexit-double-ret.json" \
	>"$dir/other.json"
status 1 "$dir/other.json"
grep -q 'RSB001 miss-inside' "$dir/out" || fail 'no longer accepted'
grep -q 'the layout expects misses_inside 0, a run gives 1' "$dir/out" || fail 'not as expected'

# That is not for code in another form: with safe RET every return misses, as it is meant to.
status 0 bpf-fexit-jmp --return-thunk srso --cpu amd-zen2
grep -q 'note RSB010 intended' "$dir/out" || fail 'intended misses'

# Code that Linux never has on the CPU is not judged, unless that is asked for; what else there is,
# is.
status 2 bpf-fexit-jmp plain-call --return-thunk srso --cpu intel-haswell
grep -q 'bpf-fexit-jmp on intel-haswell: Linux never returns by the return thunk srso' "$dir/out" ||
	fail 'a return thunk of other CPUs'
status 0 bpf-fexit-jmp --return-thunk srso --cpu intel-haswell --force

# As Linux has the code on each CPU: with safe RET on the one, with plain returns on the other,
# where a layout's own expectation holds; with plain returns on both, whatever the layout says.
status 0 bpf-fexit-double-ret --mitigations auto --cpu amd-zen3,intel-haswell
grep -q 'note RSB010 intended on amd-zen3' "$dir/out" || fail 'safe RET on Zen 3'
grep -q 'accepted (as its file expects) RSB001 miss-inside on intel-haswell' "$dir/out" ||
	fail 'plain returns on Haswell'
grep -q '1 layout on 2 CPUs$' "$dir/out" || fail 'both CPUs, once'
sed 's/"return_thunk": "none"/"return_thunk": "srso"/' "$srcdir/sim/layouts/bpf-fexit-jmp.json" \
	>"$dir/safe.json"
status 0 "$dir/safe.json" --mitigations off --cpu amd-zen2,intel-haswell
grep -q 'RSB010' "$dir/out" && fail 'mitigations off'
status 2 "$dir/safe.json" --cpu intel-haswell
status 2 plain-call --mitigations auto --return-thunk srso
grep -q 'expected either this or --return-thunk' "$dir/err" || fail 'both options'
# Code that is not generated returns as it does.
status 0 --bytes c3 --call 0x401000 --mitigations auto --cpu amd-zen3

# The trampoline that is entered by jmp accounts for a call that was never made (layouts of Linux
# 6.19).
status 1 bpf-fexit-jmp --return-thunk call-depth --cpu intel-skylake
grep -q 'warning RSB008 accounting' "$dir/out" || fail 'accounting'
grep -q 'accounts for a call that is not made' "$dir/out" || fail 'what accounts'

# Levels: by id or by name; a note fails nothing, off says nothing.
status 0 bpf-fexit-skip --rule RSB002=note
grep -q 'note RSB002' "$dir/out" || fail 'a note'
status 0 bpf-fexit-skip --rule imbalance=off
grep -q 'RSB002' "$dir/out" && fail 'off'
status 0 bpf-fexit-skip --exit-zero
grep -q 'error RSB002' "$dir/out" || fail 'still shown'

# Trouble beats findings, and the other layouts are still checked.
status 2 ./none.json bpf-fexit-skip plain-cal
grep -q 'none.json' "$dir/out" || fail 'the first trouble'
grep -q "plain-call" "$dir/out" || fail 'the second, with the nearest name'
[ ! -s "$dir/err" ] || fail 'trouble that the text tells, told again'
grep -q 'error RSB002' "$dir/out" || fail 'the finding between them'
status 2 ./none.json --exit-zero
# Where nothing to read is written, standard error has it, once for all CPUs.
status 2 ./none.json --format text="$dir/text" --cpu amd-zen3,amd-zen4
[ "$(grep -c none.json "$dir/err")" = 1 ] || fail 'trouble'

# Code that is not there is told of by its file, not by the function.
status 2 --elf nofile --call stu --format tap
grep -q '^rsbsim check: nofile: cannot be opened' "$dir/err" || fail 'the missing file'

# A folder stands for its layout files.
mkdir "$dir/layouts"
cp "$srcdir/sim/layouts/plain-call.json" "$srcdir/sim/layouts/bpf-fexit-skip.json" "$dir/layouts"
(cd "$dir" && "$RSBSIM" check layouts >out) || [ $? = 1 ] || fail 'a folder without a slash'
grep -q '2 layouts on' "$dir/out" || fail 'the layouts of a folder without a slash'
status 1 "$dir/layouts/"
grep -q '2 layouts on 1 CPU' "$dir/out" || fail 'a folder'

# And for those of the folders in it, whatever their names; not of hidden ones, nor by links, which
# may lead in a circle. Files that end otherwise are passed over.
mkdir -p "$dir/nested/deep/er.json" "$dir/nested/.hidden" "$dir/nested/empty"
cp "$srcdir/sim/layouts/plain-call.json" "$dir/nested"
cp "$srcdir/sim/layouts/bpf-fexit-skip.json" "$dir/nested/deep/er.json"
cp "$srcdir/sim/layouts/bpf-fexit-jmp.json" "$dir/nested/.hidden"
ln -s .. "$dir/nested/deep/up"
: >"$dir/nested/empty/notes.txt"
status 1 "$dir/nested"
grep -q '2 layouts on 1 CPU' "$dir/out" || fail 'folders in a folder'
status 2 "$dir/nested/empty"
grep -q 'empty: expected layout files, \*.json$' "$dir/err" || fail 'a folder without layouts'

# The same finding on many CPUs is shown once; twelve entries or more miss alike.
status 1 bpf-fexit-skip --cpu intel-haswell,amd-zen2,amd-zen4
[ "$(grep -c 'error RSB002' "$dir/out")" = 1 ] || fail 'once for all CPUs'
grep -q 'on intel-haswell, amd-zen2, amd-zen4' "$dir/out" || fail 'their names'

# Shadow stacks and indirect branch tracking are judged where the layout says that they are on:
# skip-frame's trampoline drops what the shadow stack keeps.
sed 's/"arch"/"shadow_stack": true, "arch"/' "$srcdir/sim/layouts/bpf-fexit-skip.json" \
	>"$dir/shadow.json"
status 1 "$dir/shadow.json"
grep -q 'error RSB006 shadow-stack' "$dir/out" || fail 'the shadow stack'
sed 's/"arch"/"shadow_stack": true, "arch"/' "$srcdir/sim/layouts/bpf-fexit-jmp.json" \
	>"$dir/shadow.json"
status 0 "$dir/shadow.json"

# Against another version only what got worse fails: good for git bisect run.
status 1 --against bpf-fexit-jmp bpf-fexit-skip
grep -q 'bpf-fexit-skip .* 0 -> +1 .* 0 -> 1 .* 0 -> 8 .* worse' "$dir/out" || fail 'worse'
status 0 --against bpf-fexit-skip bpf-fexit-jmp
grep -q ' better$' "$dir/out" || fail 'better'
status 0 --against bpf-fexit-skip bpf-fexit-skip
grep -q ' same$' "$dir/out" || fail 'the same, though it is unbalanced'

# A layout that only one side has: compared with one that costs nothing; gone.
cp -r "$dir/layouts" "$dir/more"
(cd "$dir" && "$RSBSIM" check bpf-fexit-skip --against bpf-fexit-jmp >out) && fail 'it got worse'
grep -B1 '^bpf-fexit-skip (' "$dir/out" | head -1 | grep -q . &&
	fail 'no line between table and findings'
cp "$srcdir/sim/layouts/bpf-fmod-ret-skip.json" "$dir/more"
status 1 --against "$dir/layouts/" "$dir/more/"
grep -q 'bpf-fmod-ret-skip .* added$' "$dir/out" || fail 'added'
status 0 --against "$dir/more/" "$dir/layouts/"
grep -q 'bpf-fmod-ret-skip .* gone$' "$dir/out" || fail 'gone'

# Each rule has its page, and no two have one id.
for rule in 001 002 003 004 005 006 007 008 009 010 011 012; do
	"$RSBSIM" explain "RSB$rule" >"$dir/out" 2>"$dir/err" || fail "no page of RSB$rule"
	head -1 "$dir/out" | grep -q "^RSB$rule [a-z-]*: [A-Z]" || fail "the page of RSB$rule"
	grep -q '^What to do' "$dir/out" || fail "a way out of RSB$rule"
done
"$RSBSIM" explain RSB999 >"$dir/out" 2>"$dir/err" && fail 'there is no RSB999'
grep -q "unknown rule 'RSB999'" "$dir/err" || fail 'the message about RSB999'

# What is to be known of a run is said, though no rule is about it: code that is not there, a CPU
# that never runs such code, and mitigations that change nothing.
printf 'f:\tcall\tabsent\n\tret\n' >"$dir/f.s"
status 0 --asm "$dir/f.s" --call f --cpu amd-zen3,arm-neoverse-n1 --mitigations auto
for said in 'f.s does not define these, so they return at once: absent$' \
	'remark: its code is arm64, and it never runs this, which is x86_64 \[arm-neoverse-n1\]$' \
	'remark: mitigations change nothing in code that is not generated'; do
	grep -q "$said" "$dir/out" || fail "not said: $said"
done

# Two files of one name could not be told apart in a baseline: that is trouble, of the second.
mkdir "$dir/twins"
cp "$dir/layouts/plain-call.json" "$dir/twins/one.json"
cp "$dir/twins/one.json" "$dir/twins/two.json"
status 2 "$dir/twins"
tr -s ' \n' ' ' <"$dir/out" | grep -q 'two.json: expected a name of its own: .*one.json is called' ||
	fail 'two layouts of one name'

# A base that cannot be read is not one in which everything is new.
status 2 plain-call --against HEAD~1
[ ! -s "$dir/out" ] || fail 'a comparison with nothing'
grep -q -- "--against: there is no layout 'HEAD~1'" "$dir/err" || fail 'the base'
printf '{ "name": "plain-call", "asm": { "file": "none.s" }, "call": "f" }' >"$dir/base.json"
status 2 plain-call --against "$dir/base.json"
grep -q 'trouble: the base: .*none.s' "$dir/out" || fail 'a base that does not run'

# An update says that what looks like a failure is accepted.
status 0 bpf-fexit-skip --baseline "$dir/new.json" --update-baseline
grep -q 'new.json accepts from now on what is new here$' "$dir/out" || fail 'what is accepted'
