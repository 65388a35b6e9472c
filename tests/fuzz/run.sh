#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh SECONDS [TARGET...]: runs each fuzzer for that long, from its corpus. Started in a build
# folder that was configured with --enable-fuzzers; what a fuzzer adds to its corpus stays there.

set -eu

seconds=$1
shift
source=$(cd "$(dirname "$0")" && pwd)

for path in "$source"/fuzz_*.c; do
	target=${path##*/fuzz_}
	target=${target%.c}
	case " ${*:-$target} " in
	*" $target "*) ;;
	*) continue ;;
	esac

	echo "fuzz_$target: $seconds s"
	mkdir -p "tests/fuzz/found/$target"
	if ! "tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="tests/fuzz/$target-" \
		"tests/fuzz/found/$target" "$source/corpus/$target" \
		>"tests/fuzz/$target.log" 2>&1; then
		tail -n 60 "tests/fuzz/$target.log"
		exit 1
	fi
	grep -e executed_units -e new_units "tests/fuzz/$target.log"
done
