# SPDX-License-Identifier: GPL-2.0-or-later
#
# Return thunks chosen on the command line. A safe RET's returns all miss, so that totals are
# returns per call (Linux, srso.rst); a thunk that is a ret costs nothing; call depth tracking gives
# 4 wrong returns in a chain of 16 on 16 entries, by a model of it that was written apart from this
# one.

set -eu
bad=0

# rows NAME... -- ARGUMENT...: those columns of a score.
rows()
{
	names=
	while [ "$1" != -- ]; do
		names="$names $1"
		shift
	done
	shift
	"$RSBSIM" score "$@" -f csv | tr -d '\r' | awk -F, -v names="$names" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; n = split(names, name, " "); next }
		{
			line = ""
			for (i = 1; i <= n; i++)
				line = line (i > 1 ? " " : "") \
				       (name[i] in column ? $column[name[i]] : "no-" name[i])
			print line
		}'
}

expect()
{
	if [ "$2" != "$3" ]; then
		printf '%s\n--- expected:\n%s\n--- got:\n%s\n' "$1" "$2" "$3"
		bad=1
	fi
}

# A thunk that is a ret: as without it.
figures='layout calls returns balance misses_inside misses_callers intended_inside'
for pair in rethunk:intel-haswell its:intel-icelake-server retbleed:amd-zen1; do
	thunk=${pair%:*} cpu=${pair#*:}
	# shellcheck disable=SC2086
	expect "$pair" "$(rows $figures -- 'bpf-fexit-*' -c "$cpu" --return-thunk none)" \
		"$(rows $figures -- 'bpf-fexit-*' -c "$cpu" --return-thunk "$thunk")"
done

# A safe RET: every return of the layout misses, by design; double-ret has one more than skip-frame,
# whose own balance shows all the same. So do the 8 callers'.
for pair in srso:amd-zen2 srso-alias:amd-zen3; do
	expect "$pair" 'bpf-fexit-jmp 13 13 13 8 8 0
bpf-fexit-skip 13 13 13 8 8 1
bpf-fexit-double-ret 14 14 14 8 8 0' "$(rows layout returns misses_inside intended_inside \
		misses_callers intended_callers balance_layout -- 'bpf-fexit-*' -s unwind \
		-c "${pair#*:}" --return-thunk "${pair%:*}")"
done

# A chain of 16 calls on 16 entries.
expect 'call depth' 4 "$(rows misses_inside misses_callers -- plain-call --depth 15 \
	-c intel-skylake --return-thunk call-depth | awk '{ print $1 + $2 }')"

# Through a trampoline entered by jmp a livepatched function loses no return, through ftrace one;
# with safe RET each returns as often as it does: 6 against 3.
livepatch='layout returns misses_inside misses_callers'
both='livepatch-ftrace livepatch-bpf-jmp'
# shellcheck disable=SC2086
expect 'livepatch, ret' 'livepatch-bpf-jmp 6 0 0
livepatch-ftrace 3 1 0' "$(rows $livepatch -- $both -s unwind -c amd-zen3)"
# shellcheck disable=SC2086
expect 'livepatch, safe RET' 'livepatch-ftrace 3 3 8
livepatch-bpf-jmp 6 6 8' "$(rows $livepatch -- $both -s unwind -c amd-zen3 \
	--return-thunk srso-alias)"

# What Linux does by default on each, beside nothing where that differs.
expect 'mitigations auto' 'intel-haswell none auto 0
amd-zen3 none off 0
amd-zen3 srso-alias auto 1
amd-zen5 none auto 0' "$(rows cpu return_thunk mitigations misses_inside -- plain-call -s unwind \
	-c intel-haswell,amd-zen3,amd-zen5 --mitigations auto)"
expect 'mitigations off' 'amd-zen3 none off 0' "$(rows cpu return_thunk mitigations misses_inside \
	-- plain-call -s unwind -c amd-zen3 --mitigations off)"
"$RSBSIM" score plain-call -c amd-zen3 --mitigations auto | grep -q '^plain-call srso-alias  *+1 ' || {
	echo 'the text does not tell the return thunk'
	bad=1
}

# A pair that cannot occur is scored when forced, and that is said.
expect 'forced' 'srso 1' "$(rows return_thunk misses_inside -- plain-call -s unwind \
	--return-thunk srso --force)"
"$RSBSIM" score plain-call --return-thunk srso --force |
	grep -q 'the return thunk srso does not occur' || {
	echo '--force: not said'
	bad=1
}

# All returns at one address: a fallback that is found by the address alone knows only the last
# one's target. 9 calls are open and 4 fit; the other 5 are predicted well where each has its own
# return.
fallback='depth=4,underflow=indirect,indirect=last'
expect 'fallback, ret' '0 0' "$(rows misses_inside misses_callers -- plain-call -s unwind \
	-m checked --set "$fallback")"
expect 'fallback, one return' '0 5' "$(rows misses_inside misses_callers -- plain-call -s unwind \
	-m checked --set "$fallback" --return-thunk rethunk)"

# Code that is not generated returns as it does: --mitigations leaves it alone, and does not stop
# the layouts beside it. A note says so, and another that Linux has no return thunk on a CPU.
own()
{
	"$RSBSIM" score --bytes c3 --base 0x401000 --call 0x401000 -s unwind "$@"
}
expect 'own code' 2 "$(own --mitigations auto --cpu amd-zen3 -f csv | wc -l)"
expect 'a note of own code' 1 "$(own --mitigations auto --cpu amd-zen3 | tr '\n' ' ' |
	grep -c 'not generated:.* and not  *by srso-alias')"
expect 'a note of a CPU' 1 "$(own --mitigations auto --cpu intel-skylake |
	grep -c 'by its profile Linux returns by ret on it')"
expect 'no note' 0 "$(own --cpu amd-zen3 | grep -c 'mitigations')"
exit $bad
