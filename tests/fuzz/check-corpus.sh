#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-corpus.sh: is the corpus what make-corpus.sh makes, and what fuzzers found? Copies of files
# that change may be older, and what assembler, linker and compressors make is another with each
# version of theirs: of these only the names count.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
status=0

sh "$here/make-corpus.sh" "$made" 2>/dev/null
cd "$here/corpus"
for path in $(find . -type f ! -name 'found-*'; cd "$made" && find . -type f); do
	case $path in
	./baseline/own | ./profile/ring | ./profile/unknown | ./profile/zen) ;;
	./trace/*.rsbt | ./trace_text/*.txt) ;;
	./core/kdump* | ./elf/* | ./import_*/*.*) ;;
	*)
		cmp "$path" "$made/$path" || status=1
		continue
		;;
	esac
	[ -f "$path" ] && [ -f "$made/$path" ] && continue
	echo "$path: only in one of the corpus and what make-corpus.sh makes"
	status=1
done
exit $status
