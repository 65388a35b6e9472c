# SPDX-License-Identifier: GPL-2.0-or-later
#
# To be sourced: finds a browser that can be driven and a Python that can drive it, or skips.

for browser in chromium chromium-browser; do
	command -v $browser >/dev/null && break
done
command -v "$browser" >/dev/null || exit 77
command -v chromedriver >/dev/null || exit 77
for python in python3 /usr/bin/python3; do
	"$python" -c 'import selenium' 2>/dev/null && break
done
"$python" -c 'import selenium' 2>/dev/null || exit 77
BROWSER=$(command -v "$browser")
export BROWSER
