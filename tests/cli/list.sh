# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is listed is what the source has; one CPU is told with the source of every field.

set -eu

fail()
{
	echo "$*"
	exit 1
}

# The first column of a list, without its heading. A name may stand on a line of its own.
names()
{
	"$RSBSIM" list "$1" | sed -n '1!s/^\([^ ][^ ]*\).*/\1/p'
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

for topic in cpus layouts models; do
	text=$("$RSBSIM" list $topic --format json)
	case $text in
	'{'*'"schema":'*"\"$topic\":"*) ;;
	*) fail "list $topic --format json: $text" ;;
	esac
done
