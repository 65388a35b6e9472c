# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guide's commands run, one after the other in one folder as its reader types them in, and print
# what the guide says they do.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
command -v as >/dev/null || exit 77

# rsbsim by its name, wherever it was built.
mkdir "$dir/bin" "$dir/steps" "$dir/work"
cat >"$dir/bin/rsbsim" <<WRAPPER
#!/bin/sh
exec "$RSBSIM" "\$@"
WRAPPER
chmod +x "$dir/bin/rsbsim"
PATH=$dir/bin:$PATH

# Each becomes two files, N.command and N.output. A command goes on to END where it holds a file.
awk -v dir="$dir/steps" '
	!/^\t/ { shown = 0; next }
	{ line = substr($0, 2) }
	within { print line > command; within = line != "END"; next }
	/^\t\$ / {
		n++
		command = sprintf("%s/%02d.command", dir, n)
		output = sprintf("%s/%02d.output", dir, n)
		printf "" > output
		print substr(line, 3) > command
		within = line ~ /<<.END.$/
		shown = 1
		next
	}
	shown { print line > output }
' "$srcdir/doc/guide.md"

cd "$dir/work"
ran=0
for command in "$dir"/steps/*.command; do
	status=0
	sh "$command" >"$dir/got" || status=$?
	[ "$status" = 0 ] || {
		echo "status $status: $(cat "$command")"
		exit 1
	}
	output=${command%.command}.output
	[ ! -s "$output" ] || diff "$output" "$dir/got" || {
		echo "not what the guide says: $(cat "$command")"
		exit 1
	}
	ran=$((ran + 1))
done
echo "$ran commands"
[ "$ran" -ge 15 ]
[ -s fexit.html ]
