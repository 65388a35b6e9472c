# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where a file may not become as large as the output (ulimit -f), that is told, and where a signal
# ends the program it ends; either way nothing half-written is left.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "$*"
	ls -l
	exit 1
}

status=0
(
	ulimit -f 8
	"$RSBSIM" report plain-call -o page%s%n.html 2>err
) || status=$?
[ $status = 2 ] || fail "too large: status $status"
grep -qF 'page%s%n.html: cannot write the report: File too large' err ||
	fail "too large: $(cat err)"
[ "$(ls)" = err ] || fail 'too large: a file is left'

# Recording opens its file first, and these rounds outlast the test.
# XCPU is what ulimit -t sends.
for signal in INT TERM HUP QUIT XCPU USR1; do
	env --default-signal=$signal true 2>/dev/null || exit 77
	env --default-signal=$signal "$RSBSIM" score 'bpf-*' --cpu all --depth 4096 --batch 1000 \
		--record record >out 2>err &
	process=$!
	for _ in $(seq 100); do
		! ls record.* >/dev/null 2>&1 || break
		sleep 0.1
	done
	ls record.* >/dev/null 2>&1 || fail "$signal: nothing is written: $(cat err)"
	kill -$signal $process
	status=0
	wait $process || status=$?
	[ $status -gt 128 ] || fail "$signal: status $status"
	! ls record* >/dev/null 2>&1 || fail "$signal: a file is left"
done
