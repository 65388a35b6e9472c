# SPDX-License-Identifier: GPL-2.0-or-later
#
# --version names what the program was built with, after any command too.

set -eu
text=$("$RSBSIM" --version)
for word in '^rsbsim [0-9]' 'Unicorn [0-9.]*' 'Capstone [0-9.]*' 'cJSON [0-9.]*' 'models: .*ring' \
	'formats of score: text, json, csv, markdown' 'formats of check: .*sarif' \
	'formats of explain: text' 'formats of sweep: .*csv' 'x86_64'; do
	if ! printf '%s\n' "$text" | grep -q "$word"; then
		echo "no '$word' in: $text"
		exit 1
	fi
done
[ "$text" = "$("$RSBSIM" score --version)" ]
