#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# embed.sh TOP OUTPUT: writes the tables of traces/util/builtin.h from the files below TOP. Make
# runs this every time, for no makefile lists those files; it does something when one was added,
# changed or removed.

set -eu
LC_ALL=C # one order of names and single bytes, wherever this runs
export LC_ALL

top=$1
output=$2

# A folder is newer too, when a file was added or removed.
if [ -e "$output" ] &&
	[ -z "$(find "$0" "$top/models/cpus" "$top/sim/layouts" "$top/sim/lessons" \
		"$top/sim/see/page" -newer "$output")" ]; then
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

# The hash by which a page's policy lets this style or script in, and no other: "sha256-...=".
digest() {
	printf 'sha256-'
	for byte in $(sha256sum <"$1" | sed 's/ .*//; s/../& /g'); do
		# shellcheck disable=SC2059
		printf "\\$(printf %03o "0x$byte")"
	done | base64
}

# page: the parts of a page, each of its kind's files one after the other.
page() {
	cat "$top"/sim/see/page/*.css >"$output.style"
	cat "$top"/sim/see/page/*.js >"$output.script"
	cat "$top"/sim/see/page/page.html >"$output.document"
	digest "$output.style" | tr -d '\n' >"$output.style-hash"
	digest "$output.script" | tr -d '\n' >"$output.script-hash"
	rows=''
	for part in document script script-hash style style-hash; do
		name=page_$(printf %s "$part" | tr - _)
		literal "$name" "$output.$part"
		rows="$rows	{ \"$part\", $name, sizeof($name) - 1 },
"
		rm "$output.$part"
	done
	printf 'const struct rsb_builtin rsb_builtin_page[] = {\n%s	{ NULL, NULL, 0 },\n};\n' "$rows"
}

{
	printf '/* Made by build-aux/embed.sh. */\n#include "traces/util/builtin.h"\n\n'
	table cpu models/cpus json
	table layout sim/layouts json
	table lesson sim/lessons lesson
	page
} >"$output.new"
mv "$output.new" "$output"
