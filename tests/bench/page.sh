# SPDX-License-Identifier: GPL-2.0-or-later
#
# page.sh PROGRAM: a recording of 100000 events on the page: tests/bench/page.py, which says what of
# it.

set -eu
srcdir=${srcdir:-$(dirname "$0")/../..}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(
	. "$srcdir/tests/cli/browser.sh"
	"$python" "$srcdir/tests/bench/page.py" "$1" "$dir"
) || {
	[ $? = 77 ] || exit 1
	echo 'the page: skipped, for there is no Chromium with chromedriver and selenium'
}
