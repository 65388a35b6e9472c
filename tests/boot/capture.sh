#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# capture.sh OLD NEW: a patch scored end to end. Boots two kernels (bzImages, Linux 6.1 and 6.12)
# with BPF programs attached, captures them, and compares one with the other; then one with itself,
# traced otherwise. $RSBSIM is the program. Exit status 77: no QEMU, or rsbsim was built without a
# guest.
#
# Calls and returns are those of the README of the captures of such kernels, which were made by
# other code; the programs attached there are longer than ours, so that instructions differ.

set -eu
: "${RSBSIM:?}"
[ $# = 2 ] || {
	echo "usage: capture.sh OLD NEW" >&2
	exit 2
}
command -v qemu-system-x86_64 >/dev/null || {
	echo 'skipped: there is no qemu-system-x86_64'
	exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TMPDIR=$dir/temporary
export TMPDIR
mkdir "$TMPDIR"

fail()
{
	echo "$*"
	exit 1
}

traced='fentry:__x64_sys_getpgid,fexit:__x64_sys_getsid,fexit:__x64_sys_sched_getscheduler'
traced="$traced,fexit:__x64_sys_sched_getscheduler,fmod_ret:security_task_getsid"

# boot NAME KERNEL OPTION...
boot()
{
	name=$1
	kernel=$2
	shift 2
	"$RSBSIM" capture --kernel "$kernel" --cpu-model EPYC-Milan --append mitigations=off \
		-o "$dir/$name" "$@" 2>"$dir/$name.err"
}

boot old "$1" --attach "$traced" &
old=$!
status=0
boot new "$2" --attach "$traced" --syscall 124 || status=$?
wait "$old" || status=$?
cat "$dir/old.err" "$dir/new.err"
! grep -q 'rsbsim was built without' "$dir/new.err" || exit 77
[ "$status" = 0 ] || fail 'a kernel could not be captured'
[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"

# figures NAME OPTION...: layout, calls, returns, balance, misses inside and in callers.
figures()
{
	core=$1
	shift
	"$RSBSIM" score "$@" --scenario unwind --format json >"$dir/score"
	tr -d '\n\t' <"$dir/score" | sed 's/"layout":/\n&/g' | sed -n 's/.*"layout":"\([^"]*\)".*'"\
"'"calls":\([0-9]*\),"returns":\([0-9]*\),.*"balance":\([-0-9]*\),.*"misses_inside":\([0-9]*\),"misses_callers":\([0-9]*\),"caller_slope".*/\1 \2 \3 \4 \5 \6/p' |
		sort >"$dir/$core.figures"
}

expected='__x64_sys_getpgid 13 13 0 0 0
__x64_sys_getsid 17 16 1 1 8'
for name in old new; do
	figures "$name" "$dir/$name.core"
	cat "$dir/$name.figures"
	[ "$(sed -n '1,2p' "$dir/$name.figures")" = "$expected" ] || fail "$name: other figures"
	[ "$(wc -l <"$dir/$name.figures")" = 4 ] || fail "$name: not every traced function"
done
[ "$(sed -n '3,4p' "$dir/new.figures")" = '__x64_sys_sched_getscheduler 25 24 1 1 8
security_task_getsid 15 14 1 1 8' ] || fail 'new: other figures'
figures call --core "$dir/new.core" --symbols "$dir/new.kallsyms" --syscall 124
grep -q '^syscall-124 23 22 ' "$dir/call.figures" ||
	fail "getsid from user space: $(cat "$dir/call.figures")"

# The old kernel is the base, the new one has the patch: nothing gets worse.
"$RSBSIM" check --against "$dir/old.core" "$dir/new.core" >"$dir/out" || fail "$(cat "$dir/out")"
grep -q ', 0 worse, 0 added, 0 gone$' "$dir/out" || fail "$(cat "$dir/out")"

# A change that is one: getsid is traced at its entry. That is balanced, and the way back is worse.
boot entry "$2" --attach fentry:__x64_sys_getsid || fail "$(cat "$dir/entry.err")"
boot exit "$2" --attach fexit:__x64_sys_getsid || fail "$(cat "$dir/exit.err")"
"$RSBSIM" check --against "$dir/exit.core" "$dir/entry.core" >"$dir/out" || fail "$(cat "$dir/out")"
grep -q '^0 same, 1 better, 0 worse' "$dir/out" || fail "$(cat "$dir/out")"
status=0
"$RSBSIM" check --against "$dir/entry.core" "$dir/exit.core" >"$dir/out" || status=$?
cat "$dir/out"
[ "$status" = 1 ] && grep -q 'error RSB012 worse' "$dir/out" || fail 'the way back'

# A dump in makedumpfile's compressed form: scores as over an ELF core of the same moment. QEMU is
# run as rsbsim runs it, with a monitor that writes both.
command -v makedumpfile >/dev/null || {
	echo 'passed; the compressed form is left out: there is no makedumpfile'
	exit
}
mkdir "$dir/bin" "$dir/dumps"
cat >"$dir/bin/qemu-system-x86_64" <<'EOF'
#!/bin/sh
cp initrd "$DUMPS"
exit 1
EOF
chmod +x "$dir/bin/qemu-system-x86_64"
DUMPS=$dir/dumps PATH=$dir/bin:$PATH "$RSBSIM" capture --kernel "$2" \
	--attach fexit:__x64_sys_getsid -o "$dir/none" 2>/dev/null || true
kernel=$(realpath "$2")
dumps=$dir/dumps
: >"$dumps/report"
{
	seconds=0
	while [ "$seconds" -lt 120 ] && [ "$(tail -n 1 "$dumps/report")" != 'done' ]; do
		sleep 1
		seconds=$((seconds + 1))
	done
	printf '%s\n' stop 'dump-guest-memory -p elf' 'dump-guest-memory -z flattened' quit
} | (
	cd "$dumps"
	qemu-system-x86_64 -no-user-config -nodefaults -display none -no-reboot -accel tcg -smp 1 \
		-m 512 -serial null -serial file:report -monitor stdio -initrd initrd \
		-kernel "$kernel" -cpu EPYC-Milan -append 'quiet panic=-1 mitigations=off'
) >"$dumps/monitor" 2>&1 || fail "$(cat "$dumps/monitor")"
[ "$(tail -n 1 "$dumps/report")" = 'done' ] || fail 'the guest did not finish'
sed '/^done$/d; /^$/d' "$dumps/report" >"$dumps/kallsyms"
makedumpfile -R "$dumps/compressed" <"$dumps/flattened" >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
for core in elf compressed; do
	"$RSBSIM" score --core "$dumps/$core" --symbols "$dumps/kallsyms" --syscall 39 \
		--syscall 124 --format json >"$dir/$core.json" || fail "$core: no score"
done
grep -q '"syscall-124"' "$dir/elf.json" || fail "$(cat "$dir/elf.json")"
cmp "$dir/elf.json" "$dir/compressed.json" || fail 'the compressed form: other scores'
echo 'passed'
