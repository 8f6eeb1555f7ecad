"""XAR archives with any table of contents, for tests and for the fuzzer."""

import struct
import zlib


def packed(table: str, heap: bytes = b"") -> bytes:
    data = f'<?xml version="1.0"?><xar><toc>{table}</toc></xar>'.encode()
    return struct.pack(">4sHHQQL", b"xar!", 28, 1, len(zlib.compress(data)), len(data), 0) + zlib.compress(data) + heap


def entry(name: str, size: int, data: str = "") -> str:
    told = f"<offset>0</offset><size>{size}</size><length>{size}</length>{data}"
    return f'<file id="1"><name>{name}</name><type>file</type><data>{told}</data></file>'
