# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names with control characters, of a layout and of its file, reach no terminal by any command and
# format; nor do those of words that are wrong.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C
csi=$(printf '\302\233') # U+009B, which a terminal takes for ESC [
file="$dir/n$(printf '\033')[31m${csi}1m$(printf '\200').json"
code='"bytes": { "hex": "c3", "base": "0x401000" }, "call": "0x401000"'

check() {
	"$RSBSIM" "$@" >"$dir/out" 2>"$dir/err" </dev/null || [ $? != 3 ]
	cat "$dir/out" "$dir/err" >"$dir/both"
	# Of JSON, an escape is as good as a mask; the lines of CSV end in CR LF (RFC 4180).
	if tr -d '\n\t\r' <"$dir/both" | grep -q "[[:cntrl:]]\|$csi\|$(printf '\200')"; then
		echo "rsbsim $*: control characters"
		cat -v "$dir/both"
		exit 1
	fi
}

for text in "{ $code }" '{ "name": "n\u001b[31m\u009b1m\r\b", '"$code }"; do
	echo "$text" >"$file"
	for format in text json csv markdown; do
		check score --format "$format" "$file"
	done
	for format in text json markdown; do
		check explain --format "$format" "$file"
	done
	check show "$file"
	check show --format json "$file"
	for format in text json github junit sarif; do
		check check --format "$format" "$file" ./none.json
	done
done
check "$csi"
check score "--$csi"
check score "$csi.json"
check list "$csi"
check score --format "$csi" plain-call
check trace "$csi"
