# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of rsbsim(1), rsbsim-lesson(1) and rsbsim-sweep(1) run, and print what the manual
# says where it says so. An example is a line that begins with "$ " in a literal display; the lines
# after it are its output.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# rsbsim by its name, wherever it was built.
mkdir "$dir/bin"
cat >"$dir/bin/rsbsim" <<WRAPPER
#!/bin/sh
exec "$RSBSIM" "\$@"
WRAPPER
chmod +x "$dir/bin/rsbsim"
PATH=$dir/bin:$PATH

# Each example becomes two files, N.command and N.output, without roff's escapes.
awk -v dir="$dir" '
	/^\.Bd -literal/ { literal = 1; shown = 0; next }
	/^\.Ed/ { literal = 0; next }
	!literal { next }
	{ gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\e/, "\\") }
	/^\$ / { n++; shown = 1; print substr($0, 3) > (dir "/" n ".command"); next }
	shown { print > (dir "/" n ".output") }
' "$srcdir/doc/rsbsim.1" "$srcdir/doc/rsbsim-lesson.1" "$srcdir/doc/rsbsim-sweep.1"

# What they write stays here.
cd "$dir"
ran=0
for command in "$dir"/*.command; do
	status=0
	sh "$command" >"$dir/got" || status=$?
	if [ "$status" != 0 ] || ! [ -s "$dir/got" ]; then
		echo "status $status: $(cat "$command")"
		exit 1
	fi
	output=${command%.command}.output
	if [ -f "$output" ] && ! diff "$output" "$dir/got"; then
		echo "not what the manual says: $(cat "$command")"
		exit 1
	fi
	ran=$((ran + 1))
done
echo "$ran examples"
[ "$ran" -ge 5 ]
