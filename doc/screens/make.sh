#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make.sh [--text] [FOLDER]: makes the screens of the README in FOLDER (default: this one) from what
# ${RSBSIM:-rsbsim} prints: a terminal's text as SVG, in colours for light and dark, and, unless
# --text says that these are enough, the page as PNG, with chromium. tests/cli/screens.sh says when
# the SVGs have grown old. To add one: a line at the end.

set -eu
LC_ALL=C
export LC_ALL
text_alone=
[ "${1:-}" != --text ] || { text_alone=yes; shift; }
folder=${1:-$(dirname "$0")}
rsbsim=${RSBSIM:-rsbsim}

# to_svg TITLE: text as a drawing. Each line is as long as its columns, whatever font there is.
to_svg()
{
	awk -v title="$1" '
	function escape(text) {
		gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
		return text
	}
	# Columns: bytes but for those that continue a character of UTF-8.
	function columns(text) { gsub(/[\200-\277]/, "", text); return length(text) }
	{ line[NR] = $0; if (columns($0) > widest) widest = columns($0) }
	END {
		width = widest * 8 + 24
		height = NR * 18 + 20
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", width, height
		printf "width=\"%d\" height=\"%d\" role=\"img\">\n", width, height
		printf "<title>%s</title>\n", escape(title)
		print "<style>"
		print "rect { fill: #f6f6f6 } text { fill: #1a1a1a; font: 13px monospace; white-space: pre }"
		print ".typed { font-weight: bold }"
		print "@media (prefers-color-scheme: dark) { rect { fill: #1c1c1c } text { fill: #e4e4e4 } }"
		print "</style>"
		print "<rect width=\"100%\" height=\"100%\" rx=\"6\"/>"
		for (i = 1; i <= NR; i++) {
			text = line[i]
			match(text, /^ */)
			indent = RLENGTH
			text = substr(text, indent + 1)
			if (text == "")
				continue
			printf "<text x=\"%d\" y=\"%d\" ", 12 + indent * 8, i * 18 + 7
			printf "textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"%s>%s</text>\n", \
				columns(text) * 8, (line[i] ~ /^\$ / ? " class=\"typed\"" : ""), \
				escape(text)
		}
		print "</svg>"
	}'
}

# screen NAME LINES ARGUMENT...: what rsbsim prints for these arguments, its first lines.
screen()
{
	name=$1 lines=$2
	shift 2
	typed="\$ rsbsim"
	for argument; do
		case $argument in
		*[\ \*]*) typed="$typed '$argument'" ;;
		*) typed="$typed $argument" ;;
		esac
	done
	{
		echo "$typed"
		LC_ALL=C.UTF-8 "$rsbsim" "$@" | head -n "$lines"
	} | to_svg "${typed#? }" >"$folder/$name.svg"
}

screen score 8 score 'bpf-fexit-*' --cpu amd-zen4
screen explain 15 explain bpf-fexit-skip
screen step 25 step bpf-fexit-skip --cpu amd-zen4 --script 'm m'

[ -n "$text_alone" ] || "${PYTHON:-python3}" "$(dirname "$0")/page.py" "$folder"
