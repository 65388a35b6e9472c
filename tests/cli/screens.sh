# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screens of the README that show a terminal are what the program prints now; they are drawings
# that an XML reader takes, and the README shows each with words for those who do not see it. Made
# by doc/screens/make.sh.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "$*"
	exit 1
}

sh "$srcdir/doc/screens/make.sh" --text "$dir"
for made in "$dir"/*.svg; do
	name=$(basename "$made")
	diff "$srcdir/doc/screens/$name" "$made" ||
		fail "doc/screens/$name has grown old: run doc/screens/make.sh"
	if command -v xmllint >/dev/null; then
		xmllint --noout "$made" || fail "$name is not XML"
	fi
done
for screen in "$srcdir"/doc/screens/*.svg "$srcdir"/doc/screens/*.png; do
	[ -e "$screen" ] || continue
	name=$(basename "$screen")
	[ -e "$dir/$name" ] || [ "${name%.png}" != "$name" ] || fail "$name is made by nothing"
	grep -q "^!\[..*\](doc/screens/$name)$" "$srcdir/README.md" ||
		fail "the README does not show $name"
	[ "$(wc -c <"$screen")" -lt 200000 ] || fail "$name is too large for a README"
done
