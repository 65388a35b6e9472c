#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-layouts.sh FOLDER: writes a layout file into it for each kernel capture and each function
# that was traced there, CAPTURE-FUNCTION.json, and prints their paths. What the captures' README
# says running them gave, below 8 callers, stands in the file as what is expected. The captures are
# in $RSB_SHARED/captures, or beside the source tree; without them the exit status is 77.

set -eu

folder=$1
shared=${RSB_SHARED:-$(dirname "$0")/../../../shared}
captures=$(cd "$shared/captures" 2>/dev/null && pwd) || {
	echo "skipped: there are no captures in $shared" >&2
	exit 77
}
mkdir -p "$folder"

# The README's rows: | capture | function | calls | returns | balance | layout | instructions |
# misses inside | of them intended | in callers | of them intended |. The misses in callers are
# those of a round, which calls the function once.
expected() {
	awk -F '|' -v capture="$1" -v function_name="$2" '
		{ gsub(/[ `+]/, "") }
		$2 == capture && $3 == function_name && NF == 13 {
			printf ",\n\t\"expect\": {\n"
			printf "\t\t\"calls\": %s, \"returns\": %s, \"instructions\": %s,\n", $4, $5, $8
			printf "\t\t\"balance\": %s, \"balance_layout\": %s,\n", $6, $7
			printf "\t\t\"misses_inside\": %s, \"intended_inside\": %s,\n", $9, $10
			printf "\t\t\"misses_callers\": %s, \"intended_callers\": %s\n\t}", $11, $12
		}' "$captures/README.md"
}

# The functions of the README's second table: | `function` | programs attached |.
functions=$(sed -n 's/^| `\([a-z0-9_]*\)` |.*/\1/p' "$captures/README.md")

for core in "$captures"/*.core; do
	capture=$(basename "$core" .core)
	for function in $functions; do
		layout=$folder/$capture-$function.json
		cat >"$layout" <<EOF
{
	"name": "$capture-$function",
	"summary": "$function of a captured kernel, with BPF programs attached",
	"core": { "file": "$core", "symbols": "${core%.core}.kallsyms" },
	"call": "$function",
	"registers": { "rdi": "scratch" },
	"scenario": { "depth": 8, "batch": 1 }$(expected "$capture" "$function")
}
EOF
		echo "$layout"
	done
done
