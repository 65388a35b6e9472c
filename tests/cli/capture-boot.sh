# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels to boot: what options cannot be, and what QEMU refuses, is one message, and leaves nothing
# behind. No kernel is booted here: see tests/boot/capture.sh.

set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TMPDIR=$dir/temporary
export TMPDIR
mkdir "$TMPDIR"

fail()
{
	echo "$*"
	exit 1
}

# refuse MESSAGE OPTION...
refuse()
{
	wanted=$1
	shift
	status=0
	"$RSBSIM" capture "$@" >"$dir/out" 2>"$dir/err" || status=$?
	[ "$status" = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ] ||
		fail "$*: status $status, $(cat "$dir/err")"
	grep -q -e "$wanted" "$dir/err" || fail "$*: $(cat "$dir/err")"
	[ -z "$(ls "$TMPDIR")" ] || fail "$*: left $(ls "$TMPDIR")"
	[ -z "$(find "$dir" -name 'no*')" ] || fail "$*: left $(ls "$dir")"
}

echo 'no kernel' >"$dir/kernel"
attach='--attach fexit:f'
for option in '--cpu-model max' '--append quiet' "$attach" '--time-limit 5'; do
	# shellcheck disable=SC2086
	refuse "${option%% *}: expected --kernel" --core c --symbols s --call f $option -o "$dir/no"
done
refuse 'got both' --kernel "$dir/kernel" --core c $attach -o "$dir/no"
refuse 'got both' --kernel "$dir/kernel" --symbols s $attach -o "$dir/no"
refuse 'expected --attach' --kernel "$dir/kernel" -o "$dir/no"
refuse 'expected --output' --kernel "$dir/kernel" $attach
refuse "expected KIND:FUNCTION, got 'fexit'" --kernel "$dir/kernel" --attach fexit -o "$dir/no"
refuse "unknown kind 'fexut'" --kernel "$dir/kernel" --attach fexit:f,fexut:f -o "$dir/no"
refuse 'expected at most 256 programs' --kernel "$dir/kernel" -o "$dir/no" --attach \
	"$(awk 'BEGIN { for (i = 0; i < 257; i++) printf "fexit:f," }')"
refuse '1 to 86400' --kernel "$dir/kernel" $attach --time-limit 0 -o "$dir/no"

# Where rsbsim has no guest, that is what it says of every kernel.
"$RSBSIM" capture --kernel "$dir/kernel" $attach -o "$dir/no" 2>"$dir/err" || true
if grep -q 'rsbsim was built without' "$dir/err"; then
	grep -q 'Debian: libbpf-dev' "$dir/err" || fail "no guest: $(cat "$dir/err")"
	exit 0
fi
refuse "$dir/absent: cannot be opened: No such file" --kernel "$dir/absent" $attach -o "$dir/no"
refuse "$dir: is not a regular file" --kernel "$dir" $attach -o "$dir/no"
command -v qemu-system-x86_64 >/dev/null || {
	refuse 'cannot run qemu-system-x86_64 (Debian: qemu-system-x86)' --kernel "$dir/kernel" \
		$attach -o "$dir/no"
	exit 0
}
refuse "kernel: QEMU ended: " --kernel "$dir/kernel" $attach -o "$dir/no"
refuse "unable to find CPU model 'none'" --kernel "$dir/kernel" --cpu-model none $attach \
	-o "$dir/no"

# A QEMU that does nothing: the time limit ends it.
mkdir "$dir/bin"
printf '#!/bin/sh\necho $$ >"%s/pid"\nexec sleep 600\n' "$dir" >"$dir/bin/qemu-system-x86_64"
chmod +x "$dir/bin/qemu-system-x86_64"
PATH=$dir/bin:$PATH
export PATH
refuse 'did not finish within 1 seconds, and said nothing' --kernel "$dir/kernel" $attach \
	--time-limit 1 -o "$dir/no"
! kill -0 "$(cat "$dir/pid")" 2>/dev/null || fail 'QEMU still runs'

# A signal ends it too, and the files go.
rm "$dir/pid"
"$RSBSIM" capture --kernel "$dir/kernel" $attach -o "$dir/no" 2>"$dir/err" &
child=$!
tries=0
while [ ! -s "$dir/pid" ] && [ "$tries" -lt 100 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill "$child"
status=0
wait "$child" || status=$?
[ "$status" = 143 ] || fail "a signal: status $status"
[ -z "$(ls "$TMPDIR")" ] || fail "a signal: left $(ls "$TMPDIR")"
# It was killed, which on a busy machine takes a moment.
tries=0
while kill -0 "$(cat "$dir/pid")" 2>/dev/null; do
	[ "$tries" -lt 100 ] || fail 'QEMU still runs after a signal'
	sleep 0.1
	tries=$((tries + 1))
done

# What the guest tells is not trusted: a QEMU that writes its report.
report()
{
	cat >"$dir/bin/qemu-system-x86_64" <<EOF
#!/bin/sh
printf '$1' >report
exec sleep 600
EOF
	refuse "$2" --kernel "$dir/kernel" $attach --time-limit "${3:-4}" -o "$dir/no"
}
report 'ffffffff81000000 T __do_once_done\n' 'did not finish within 1 seconds' 1
report 'failed fexit f 2 No such file\ndone\n' \
	"fexit:f cannot be attached: the kernel's BTF has no such function"
report 'failed fexit f 3 No such process\ndone\n' 'CONFIG_DEBUG_INFO_BTF'
report 'failed fexit f 99999999999999999999 what\ndone\n' 'cannot be attached'
report 'failed\033[2J\ndone\n' 'monitor'
report 'failed \033[2J\ndone\n' 'could not be attached: failed ?\[2J'
