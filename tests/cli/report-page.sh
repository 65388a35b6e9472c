# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page in a real browser: tests/cli/report_page.py, which says what of it.

set -eu
# A sanitizer finds nothing in the scripts, and costs minutes here.
[ -z "${RSB_SANITIZED:-}" ] || exit 77
command -v as >/dev/null || exit 77
. "$srcdir/tests/cli/browser.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$python" "$srcdir/tests/cli/report_page.py" "$dir"
