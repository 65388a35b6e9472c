# SPDX-License-Identifier: GPL-2.0-or-later
#
# rsbsim-trace(5) says what each byte means: a reader written from that page alone, in another
# language, reads the same events.

set -eu
command -v python3 >/dev/null && command -v zstd >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/read.py" <<'END'
import struct, subprocess, sys, zlib

KINDS = ('call return swap jump indirect-jump taken-branch not-taken-branch far-call far-return '
         'syscall sysret interrupt iret environment speculate squash mark').split()
DETAILS = {16: 'round traced-call landing gap'.split(),
           13: 'clear fill ibpb switch cr3'.split()}
WRAP = 1 << 64

data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89rsbt\r\n\x1a'
assert struct.unpack('<II', data[8:16]) == (0x01020304, 1)

class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0
    def byte(self):
        self.at += 1
        return self.data[self.at - 1]
    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    def difference(self):
        n = self.number()
        return -(n + 1) // 2 if n & 1 else n // 2
    def text(self):
        end = self.data.index(0, self.at)
        text, self.at = self.data[self.at:end].decode(), end + 1
        return text

sites, usual, addresses, following, number_of = [], [], [], [], {}

def define_address(address):
    if address not in number_of:
        number_of[address] = len(addresses)
        addresses.append(address)
        following.append(None)

def read_sites(count, b):
    pc = address = 0
    first_site, first_address = len(sites), len(addresses)
    for _ in range(count):
        kind = b.byte()
        if kind == 255:
            address = (address + b.difference()) % WRAP
            assert address not in number_of
            define_address(address)
            continue
        length, detail, mitigation, flags, entries = (b.byte(), b.byte(), b.byte(), b.byte(),
                                                      b.number())
        pc = (pc + b.difference()) % WRAP
        sites.append((kind, length, detail, mitigation, flags, entries, pc, b.text()))
        usual.append(None)
        define_address((pc + length) % WRAP)
    for i in range(first_site, len(sites)):
        usual[i] = b.number() - 1
    for i in range(first_address, len(addresses)):
        following[i] = b.number() - 1
    assert b.at == len(b.data)

def show(site, target, verdict):
    kind, length, detail, mitigation, flags, entries, pc, label = sites[site]
    words = [KINDS[kind] + (':' + DETAILS[kind][detail] if kind in DETAILS else ''),
             hex(pc) + ('+%d' % length if length else ''), '->', hex(addresses[target])]
    words += ['indirect'] * (flags & 1) + ['zero-call'] * (flags >> 1 & 1)
    words += [[], ['for-jump'], ['for-return'], ['for-fill']][mitigation]
    words += ['count=%d' % entries] * bool(entries) + verdict
    print(' '.join(words + ([';', label] if label else [])))

def read_events(count, b):
    b.number()
    stack, last, verdict, seen = [], None, [], 0
    while b.at < len(b.data):
        code = b.number()
        if code in (4, 5):
            verdict = ['hit' if code == 4 else 'miss']
        elif code == 2:
            b.number()
            stack, last = [], None
        elif code == 3:
            b.number()
        elif code == 6:
            b.number(), b.number(), b.number()
        else:
            site = following[last] if code < 2 else (code - 16) // 2
            kind, length, pc = sites[site][0], sites[site][1], sites[site][6]
            target = usual[site]
            if kind in (1, 2) and stack:
                target = stack.pop()
            if code & 1:
                target = b.number()
            if kind in (0, 2):
                stack = stack[-1023:] + [number_of[(pc + length) % WRAP]]
            show(site, target, verdict)
            last, verdict, seen = target, [], seen + 1
    assert seen == count
    return seen

at, events, index, chunks = 16, 0, None, []
while at < len(data):
    kind, count, size, stored, crc = struct.unpack('<4s4I', data[at:at + 20])
    packed = data[at + 20:at + 20 + stored]
    assert zlib.crc32(data[at:at + 16] + packed) == crc
    plain = packed if stored == size else subprocess.run(
        ['zstd', '-dcq'], input=packed, stdout=subprocess.PIPE, check=True).stdout
    assert len(plain) == size
    if kind == b'SITE':
        read_sites(count, Bytes(plain))
    elif kind == b'EVNT':
        chunks.append((kind, at, events))
        events += read_events(count, Bytes(plain))
    elif kind == b'indx':
        index = at
        entries = [e for e in struct.iter_unpack('<4sQQ', plain) if e[0] == b'EVNT']
        assert entries == chunks
    elif kind == b'DONE':
        assert struct.unpack('<QQ', plain) == (events, index)
        assert len(data) - at == 36
    at += 20 + stored
END

compare() {
	python3 "$folder/read.py" "$1" >"$folder/read"
	"$RSBSIM" trace dump "$1" | grep -e '->' | cmp - "$folder/read"
}

"$RSBSIM" trace record livepatch-ftrace --scenario bench --all --rounds 100 -o "$folder/run.rsbt"
compare "$folder/run.rsbt"
compare "${srcdir:?}/traces/samples/threads.rsbt"
[ "$(wc -l <"$folder/read")" -gt 10 ]
