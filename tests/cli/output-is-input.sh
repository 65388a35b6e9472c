# SPDX-License-Identifier: GPL-2.0-or-later
#
# A file that a command reads is not written over by what it writes, whatever the names.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$srcdir/sim/layouts/plain-call.json" "$dir/mine.json"
ln -s mine.json "$dir/link.json"

refused()
{
	status=0
	message=$("$RSBSIM" "$@" 2>&1) || status=$?
	case $status-$message in
	2-*'is read by this command'*) ;;
	*)
		echo "$*: status $status: $message"
		exit 1
		;;
	esac
	cmp "$dir/mine.json" "$srcdir/sim/layouts/plain-call.json"
}

refused score -o "$dir/mine.json" "$dir/mine.json"
refused score -o "$dir/link.json" "$dir/mine.json"
refused score -o "$dir/./mine.json" "$dir/link.json"
refused score --record "$dir/mine.json" "$dir/mine.json"
refused check --format "json=$dir/mine.json" "$dir/mine.json"
refused trace record "$dir/mine.json" -o "$dir/mine.json"

# That is told before any work: of two troubles, the one that would come later.
refused score "$dir/mine.json" --bytes 0f0b -o "$dir/mine.json"
refused check "$dir/mine.json" --bytes 0f0b --format "json=$dir/mine.json"
cp "$srcdir/models/cpus/amd-zen4.json" "$dir/cpu.json"
refused explain "$dir/mine.json" --bytes 0f0b --cpu "$dir/cpu.json" -o "$dir/cpu.json"

# Files that options name are read, too.
printf 'f: ret\n' >"$dir/code.S"
cp "$dir/code.S" "$dir/kept.S"
refused score --asm "$dir/code.S" --call f -o "$dir/code.S"
cmp "$dir/code.S" "$dir/kept.S"
cp "$srcdir/models/cpus/amd-zen4.json" "$dir/cpu.json"
refused score plain-call --cpu "$dir/cpu.json" -o "$dir/cpu.json"
cmp "$dir/cpu.json" "$srcdir/models/cpus/amd-zen4.json"

# Another file is written as ever.
"$RSBSIM" score -o "$dir/other.json" -f json "$dir/mine.json"
test -s "$dir/other.json"
