# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page in a real browser: tests/cli/report_page.py, which says what of it.

set -eu
for browser in chromium chromium-browser; do
	command -v $browser >/dev/null && break
done
command -v "$browser" >/dev/null || exit 77
command -v chromedriver >/dev/null || exit 77
command -v as >/dev/null || exit 77
for python in python3 /usr/bin/python3; do
	"$python" -c 'import selenium' 2>/dev/null && break
done
"$python" -c 'import selenium' 2>/dev/null || exit 77
# A sanitizer finds nothing in the scripts, and costs minutes here.
[ -z "${RSB_SANITIZED:-}" ] || exit 77

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
BROWSER=$(command -v "$browser") "$python" "$srcdir/tests/cli/report_page.py" "$dir"
