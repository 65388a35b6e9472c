#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make-kdump.py FILE: writes a small dump in makedumpfile's compressed form, for the fuzzer of cores.

Three frames, mapped where a kernel's code is by four page tables, one of them by a large page; with
VMCOREINFO, and QEMU's note of a processor.
"""
import struct
import sys
import zlib

BLOCK = 4096


def table(*entries):
    page = bytearray(BLOCK)
    for index, entry in entries:
        struct.pack_into('<Q', page, 8 * index, entry)
    return bytes(page)


frames = [
    (1, table((511, 0x2001))),
    (2, table((510, 0x3001))),
    (3, table((8, 0x4001), (9, 0x200081))),
    (4, table((0, 0x5001), (1, 0x6001), (2, 0x7001))),
    (5, b'a' * BLOCK),
    (6, b'b' * BLOCK),
    (512, b'l' * BLOCK),
]
info = b'SYMBOL(swapper_pg_dir)=ffffffff80001000\nNUMBER(phys_base)=0\nKERNELOFFSET=0\n'
note = bytearray(460)
struct.pack_into('<III8sII', note, 0, 5, 440, 0, b'QEMU', 1, 440)
struct.pack_into('<Q', note, 20 + 416, 0x1000)

descriptors, data, bitmap = b'', b'', bytearray(BLOCK)
start = 4 * BLOCK + 24 * len(frames)
for frame, page in frames:
    bitmap[frame // 8] |= 1 << frame % 8
    packed = zlib.compress(page) if frame != 5 else page
    descriptors += struct.pack('<QIIQ', start + len(data), len(packed), frame != 5, 0)
    data += packed
end = start + len(data)

header, second = bytearray(BLOCK), bytearray(BLOCK)
struct.pack_into('<8sI', header, 0, b'KDUMP   ', 6)
struct.pack_into('6s', header, 272, b'x86_64')
struct.pack_into('<IIIII', header, 424, 1, BLOCK, 1, 2, 1024)
struct.pack_into('<QQQQ', second, 32, end, len(info), end + len(info), len(note))
struct.pack_into('<Q', second, 96, 1024)
with open(sys.argv[1], 'wb') as out:
    out.write(header + second + bytes(BLOCK) + bitmap + descriptors + data + info + note)
