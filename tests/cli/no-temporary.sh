# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where nothing can be written but the output, as in a container whose files are read-only, reports
# come out all the same; what needs a folder for files says so, and which.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

for command in 'score bpf-fexit-skip' 'score plain-call -f json' 'score bpf-fexit-skip --record -' \
	'explain bpf-fexit-skip' 'show plain-call' 'list cpus' 'report plain-call' 'lesson 1' \
	'check plain-call' 'sweep plain-call --set depth=1..4'; do
	# shellcheck disable=SC2086
	"$RSBSIM" $command </dev/null >"$dir/wanted"
	# shellcheck disable=SC2086
	TMPDIR=$dir/none "$RSBSIM" $command </dev/null >"$dir/out" || fail "$command: status $?"
	cmp "$dir/wanted" "$dir/out" || fail "$command: another output"
done

refuse()
{
	status=0
	TMPDIR=$dir/none "$RSBSIM" "$@" >"$dir/out" 2>"$dir/err" || status=$?
	[ $status = 2 ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
		grep -q "$dir/none: .*: No such file.*: expected TMPDIR to name" "$dir/err" ||
		fail "$*: status $status: $(cat "$dir/err")"
}

printf 'f: ret\n' >"$dir/code.s"
refuse score --asm "$dir/code.s" --call f
gzip -c "$dir/code.s" >"$dir/memory.gz"
refuse score --core "$dir/memory.gz" --symbols "$dir/code.s" --call f
