# SPDX-License-Identifier: GPL-2.0-or-later
#
# quickstart where it cannot install what it lacks: it says so and stops with status 2.

set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# tools NAME...: puts these on the path of quickstart, which has nothing else.
tools() {
	for tool in "$@"; do
		ln -sf "$(command -v "$tool")" "$folder/bin/$tool"
	done
}

# pretend NAME LINE: a tool of that name which does only that.
pretend() {
	rm -f "$folder/bin/$1"
	printf '#!%s/bin/bash\n%s\n' "$folder" "$2" >"$folder/bin/$1"
	chmod +x "$folder/bin/$1"
}

# expect STATUS PATTERN ARGS...: what quickstart does, and a line that it writes.
expect() {
	wanted=$1
	pattern=$2
	shift 2
	status=0
	PATH=$folder/bin bash "$folder/quickstart" "$@" >"$folder/out" 2>&1 || status=$?
	if [ "$status" != "$wanted" ] || ! grep -q -e "$pattern" "$folder/out"; then
		echo "quickstart $*: status $status; expected $wanted, and a line with: $pattern"
		cat "$folder/out"
		exit 1
	fi
}

# A copy, for quickstart builds in the folder where it is.
cp "${srcdir:?}/quickstart" "$folder"
mkdir "$folder/bin"
tools bash cat dirname env grep mkdir nproc sh tail

expect 0 '^Usage: ./quickstart' help
expect 2 '^Usage: ./quickstart' chekc

# Not Debian.
expect 2 'gcc .* unicorn'

# Debian with nothing installed, but neither root nor sudo.
pretend dpkg-query 'exit 1'
pretend apt-get 'exit 1'
pretend id 'echo 1000'
expect 2 'apt-get install .*libunicorn-dev' check

# The network fails: what apt-get wrote is shown.
pretend id 'echo 0'
pretend apt-get 'echo no network here; exit 1'
expect 2 'no network here' run list
