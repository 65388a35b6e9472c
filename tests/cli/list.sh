# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is listed is what the source has; one CPU is told with the source of every field.

set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# The first column of a list, without its heading.
names()
{
	"$RSBSIM" list "$1" | sed -n '1!s/^\([^ ][^ ]*\).*/\1/p'
}

# Are these lines no longer than 100 columns? (awk counts bytes where the locale has no others.)
fits()
{
	! LC_ALL=C.UTF-8 grep '.\{101\}' || fail "longer than 100 columns"
}

files()
{
	for file in "$srcdir/$1"/*.json; do
		basename "$file" .json
	done | LC_ALL=C sort
}

[ "$(names cpus)" = "$(files models/cpus)" ] || fail "cpus: $(names cpus)"
[ "$(names layouts)" = "$(files sim/layouts)" ] || fail "layouts: $(names layouts)"
names models | grep -qx ring || fail "models: $(names models)"

# Of Haswell: 16 entries, from Agner Fog.
"$RSBSIM" list cpus intel-haswell | grep '^depth  *16  *measured  *Agner Fog' >/dev/null ||
	fail "intel-haswell: $("$RSBSIM" list cpus intel-haswell)"
"$RSBSIM" list models ring | grep '^underflow .*stale|none|indirect|fixed' >/dev/null ||
	fail "ring: $("$RSBSIM" list models ring)"
"$RSBSIM" list layouts bpf-fexit-skip | grep '^expects: balance_layout 1$' >/dev/null ||
	fail "bpf-fexit-skip: $("$RSBSIM" list layouts bpf-fexit-skip)"

# Nothing is wider than 100 columns; each CPU has a whole line of the table.
"$RSBSIM" list cpus | fits
"$RSBSIM" list layouts | fits
"$RSBSIM" list models | fits
for name in $(names cpus); do
	"$RSBSIM" list cpus "$name" | head -n 2 | fits
done
for name in $(names layouts); do
	"$RSBSIM" list layouts "$name" | fits
done
"$RSBSIM" list cpus | sed 1d | awk 'NF < 7 { print; bad = 1 } END { exit bad }' || fail "list cpus"

# The manual tells of every parameter of the models, and of every word that one can be.
"$RSBSIM" list models ring --format json >"$folder/ring"
tr -d '\t' <"$folder/ring" | sed -n 's/^"name":"\(.*\)",$/\1/p' | sed 1d >"$folder/parameters"
[ "$(wc -l <"$folder/parameters")" -ge 15 ] || fail "parameters: $(cat "$folder/parameters")"
while read -r name; do
	grep -q "^\.\(It \)*Cm $name\b" "$srcdir/doc/rsbsim-cpu.5" ||
		fail "rsbsim-cpu(5): nothing on $name"
done <"$folder/parameters"
tr -d '\t' <"$folder/ring" | sed -n 's/^"choices":"\(.*\)",$/\1/p' | tr '|' '\n' |
	grep -v -x -e false -e true >"$folder/words"
while read -r word; do
	grep -q "^\.Qq $word\b" "$srcdir/doc/rsbsim-cpu.5" || fail "rsbsim-cpu(5): nothing on $word"
done <"$folder/words"

# A profile of one's own may say little, and then little is said of it.
echo '{ "name": "mine", "model": "ring", "fields": {} }' >"$folder/mine.json"
[ "$("$RSBSIM" list cpus "$folder/mine.json" | head -n 1)" = mine ] ||
	fail "mine: $("$RSBSIM" list cpus "$folder/mine.json")"

for topic in cpus layouts models; do
	text=$("$RSBSIM" list $topic --format json)
	case $text in
	'{'*'"schema":'*"\"$topic\":"*) ;;
	*) fail "list $topic --format json: $text" ;;
	esac
done

# A pattern lists those alone, as text and as JSON.
[ "$("$RSBSIM" list cpus 'amd-zen[12]' | sed '1d; s/ .*//' | tr '\n' ' ')" = 'amd-zen1 amd-zen2 ' ] ||
	fail 'a pattern over CPUs'
[ "$("$RSBSIM" list layouts 'fiber-*' | sed -n 's/^\(fiber[^ ]*\) .*/\1/p')" = \
	"$(files sim/layouts | grep '^fiber-')" ] || fail 'a pattern over layouts'
[ "$("$RSBSIM" list models 'r*' -f json | grep -c '"summary"')" = 1 ] || fail 'a pattern as JSON'
