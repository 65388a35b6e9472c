#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# embed.sh TOP OUTPUT: writes the tables of traces/util/builtin.h from the files below TOP.
# Make runs this every time, for no makefile lists those files; it does something when one was added,
# changed or removed.

set -eu
LC_ALL=C # one order of names and single bytes, wherever this runs
export LC_ALL

top=$1
output=$2

# A folder is newer too, when a file was added or removed.
if [ -e "$output" ] &&
	[ -z "$(find "$0" "$top/models/cpus" "$top/sim/layouts" "$top/sim/lessons" -newer "$output")" ]; then
	exit
fi

# A file's bytes as a C string in octal, a line for each 16 of them.
literal() {
	printf 'static const char %s[] =\n\t""\n' "$1"
	od -An -v -to1 "$2" | sed 's/ *\([0-7][0-7]*\)/\\\1/g; s/.*/	"&"/'
	printf '\t;\n\n'
}

# table KIND FOLDER ENDING: the files' bytes, then the table, then the names alone.
table() {
	kind=$1
	rows=''
	names=''
	number=0
	# By name: as files, a-b.json stands before a.json.
	for name in $(find "$top/$2" -name "*.$3" | sed "s:.*/::; s/\\.$3\$//" | sort); do
		number=$((number + 1))
		literal "$kind$number" "$top/$2/$name.$3"
		rows="$rows	{ \"$name\", $kind$number, sizeof($kind$number) - 1 },
"
		names="$names	\"$name\",
"
	done
	printf 'const struct rsb_builtin rsb_builtin_%ss[] = {\n%s	{ NULL, NULL, 0 },\n};\n\n' \
		"$kind" "$rows"
	printf 'const char *const rsb_builtin_%s_names[] = {\n%s	NULL,\n};\n\n' "$kind" "$names"
}

{
	printf '/* Made by build-aux/embed.sh. */\n#include "traces/util/builtin.h"\n\n'
	table cpu models/cpus json
	table layout sim/layouts json
	table lesson sim/lessons lesson
} >"$output.new"
mv "$output.new" "$output"
