# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where a signal ends the program while a program that it started is at work, that one ends too,
# with what it started itself, and its folder is removed. Whether it failed is seen even where
# whoever started all this ignores what children do.

set -eu
env --default-signal=INT true 2>/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir bin folders

fail()
{
	echo "$*"
	ls -lR
	exit 1
}

printf '.globl f\nf: ret\n' >good.s
printf '.globl f\nf: bogus\n' >bad.s

# An assembler that takes its time, by what it starts.
cat >bin/as <<EOF
#!/bin/sh
sleep 60 &
echo \$! >"$dir/sleeper"
wait
EOF
chmod +x bin/as

# has_ended PROCESS: it may be nobody's child any more, or wait for who reaps it.
has_ended()
{
	for _ in $(seq 100); do
		kill -0 "$1" 2>/dev/null || return 0
		! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

for signal in HUP INT QUIT TERM XCPU USR1; do
	rm -f sleeper
	env --default-signal=$signal PATH="$dir/bin:$PATH" TMPDIR="$dir/folders" \
		"$RSBSIM" score --asm good.s --call f >out 2>err &
	process=$!
	for _ in $(seq 100); do
		[ ! -s sleeper ] || break
		sleep 0.1
	done
	[ -s sleeper ] || fail "$signal: nothing is assembled: $(cat err)"
	kill -$signal $process
	status=0
	wait $process || status=$?
	[ $status -gt 128 ] || fail "$signal: status $status: $(cat err)"
	has_ended "$(cat sleeper)" || fail "$signal: what was started still runs"
	[ -z "$(ls folders)" ] || fail "$signal: a folder is left"
done

# A signal that is ignored ends nothing.
cat >bin/as <<EOF
#!/bin/sh
kill -INT \$PPID
sleep 0.5
echo 'good.s:1: Error: as ever'
exit 1
EOF
status=0
env --ignore-signal=INT PATH="$dir/bin:$PATH" "$RSBSIM" score --asm good.s --call f >out 2>err ||
	status=$?
[ $status = 2 ] && grep -q 'as ever' err || fail "ignored: status $status: $(cat err)"

status=0
env --ignore-signal=CHLD "$RSBSIM" score --asm bad.s --call f >out 2>err || status=$?
[ $status = 2 ] && grep -q 'bad.s:2: Error' err || fail "SIGCHLD: status $status: $(cat err)"
