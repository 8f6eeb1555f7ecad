"""Damaged files made from good ones, the same again for the same seed. Used by benchmarks.fuzz.

A mutant is known by its family and number (`pdf-17`): these, the seed and the good files make its bytes.
"""

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

_EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1)
_DECIMALS = (b"0", b"-1", b"65536", b"2147483647", b"4294967295", b"99999999999999999999", b"1e308", b"0" * 400)
# what opens something, over and over: parsers that recurse run out of stack
_OPENERS = (
    *(b"<div>", b"<w:p>", b"<a:p><a:r>", b"<text:span>", b"<![CDATA[", b"{\\b ", b"[", b"(", b"<<", b"q "),
    b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
    b"Content-Type: message/rfc822\r\n\r\n",
)
# what means something to one parser or another
_WORDS = (
    *(b"PK\x01\x02", b"PK\x05\x06", b"%PDF-1.7\n", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf1", b"\xff\xd8\xff"),
    *(b"endstream", b"endobj", b"/Encrypt 1 0 R", b"/Prev 0", b"/Kids [1 0 R]", b"/Length -1", b"\\bin999999999 "),
    *(b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x00", b"\x1a", b"\xe2\x80\xa8", b"\r\n\r\n"),
    b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>',
    b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Type: text/plain; charset=no-such-charset\r\n",
    b"=?utf-8?b?////?=",
    *(b"../../../../tmp/out", b"\x30\x80", b"\x24\x80", b"LZFu", b"\\htmlrtf ", b"ENCODING=BASE64:", b"END:VEVENT"),
)
_EDGE = 512  # headers and directories lie at the ends
_MAX_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Seed:
    """A good file."""

    suffix: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Mutant:
    label: str
    family: str
    mutations: tuple[str, ...]
    suffix: str
    data: bytes


class Bench:
    """What one mutation may use: chance, and the other good files."""

    def __init__(self, chance: Random, families: Mapping[str, Sequence[Seed]]) -> None:
        self.chance, self._families = chance, families

    def seed(self, family: str) -> Seed:
        """Every type of the family is as likely, however many files there are of it."""
        seeds = self._families[family]
        media_type = self.chance.choice(sorted({seed.media_type for seed in seeds}))
        return self.chance.choice([seed for seed in seeds if seed.media_type == media_type])

    def stranger(self) -> Seed:
        return self.seed(self.chance.choice(sorted(self._families)))

    def block(self, data: bytes) -> tuple[int, int]:
        """Start and end of a part of the data."""
        start = self.chance.randrange(len(data) + 1)
        length = int(len(data) ** self.chance.random())
        return start, min(len(data), start + length)

    def place(self, data: bytes) -> int:
        near = self.chance.choice((len(data), min(len(data), _EDGE), -min(len(data), _EDGE)))
        return self.chance.randrange(near) if near > 0 else len(data) + self.chance.randrange(near, 0)


def flip_bits(data: bytes, bench: Bench) -> bytes:
    out = bytearray(data)
    for _ in range(1 << bench.chance.randrange(7)):
        out[bench.place(data)] ^= 1 << bench.chance.randrange(8)
    return bytes(out)


def write_noise(data: bytes, bench: Bench) -> bytes:
    start, end = bench.block(data)
    return data[:start] + bench.chance.randbytes(end - start) + data[end:]


def write_zeros(data: bytes, bench: Bench) -> bytes:
    """What a disk gives back for a block it lost."""
    start, end = bench.block(data)
    return data[:start] + bytes(end - start) + data[end:]


def cut_off(data: bytes, bench: Bench) -> bytes:
    return data[: bench.place(data)]


def cut_beginning(data: bytes, bench: Bench) -> bytes:
    return data[bench.place(data) :]


def remove_block(data: bytes, bench: Bench) -> bytes:
    start, end = bench.block(data)
    return data[:start] + data[end:]


def double_block(data: bytes, bench: Bench) -> bytes:
    start, end = bench.block(data)
    return data[:end] + data[start:]


def repeat_block(data: bytes, bench: Bench) -> bytes:
    """A short run a great many times: nesting, and lists without end."""
    start = bench.place(data)
    run = data[start : start + bench.chance.randint(1, 40)]
    return data[:start] + run * bench.chance.choice((100, 2_000, 30_000)) + data[start:]


def nest(data: bytes, bench: Bench) -> bytes:
    at, opener = bench.place(data), bench.chance.choice(_OPENERS)
    return data[:at] + opener * bench.chance.choice((300, 5_000, 60_000)) + data[at:]


def insert_words(data: bytes, bench: Bench) -> bytes:
    for _ in range(bench.chance.randint(1, 5)):
        at = bench.place(data)
        data = data[:at] + bench.chance.choice(_WORDS) + data[at:]
    return data


def swap_blocks(data: bytes, bench: Bench) -> bytes:
    (a, b), (c, d) = sorted((bench.block(data), bench.block(data)))
    b = min(b, c)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def write_extremes(data: bytes, bench: Bench) -> bytes:
    """Numbers at the edge of their range, where lengths, counts and offsets may be."""
    out = bytearray(data)
    for _ in range(bench.chance.randint(1, 8)):
        width, at = bench.chance.choice((1, 2, 4, 8)), bench.place(data)
        number = bench.chance.choice(_EXTREMES) & ((1 << 8 * width) - 1)
        out[at : at + width] = number.to_bytes(width, bench.chance.choice(("little", "big")))
    return bytes(out)


def write_decimals(data: bytes, bench: Bench) -> bytes:
    """The same for numbers in text, as PDF, RTF and mail have them."""
    numbers = list(re.finditer(rb"\d+", data[:_MAX_BYTES]))
    for found in sorted(bench.chance.sample(numbers, min(len(numbers), 4)), key=lambda found: -found.start()):
        data = data[: found.start()] + bench.chance.choice(_DECIMALS) + data[found.end() :]
    return data


def append_junk(data: bytes, bench: Bench) -> bytes:
    return data + bench.chance.randbytes(1 << bench.chance.randrange(17))


def splice(data: bytes, bench: Bench) -> bytes:
    """The beginning of this one, the end of another."""
    other = bench.stranger().data
    return data[: bench.place(data)] + other[bench.place(other) if other else 0 :]


def change_header(data: bytes, bench: Bench) -> bytes:
    size = bench.chance.choice((4, 8, 64, 512))
    return bench.stranger().data[:size] + data[size:]


def change_member(data: bytes, bench: Bench) -> bytes:
    """Inside a ZIP, where damage would otherwise stop at the checksum: office files are such."""
    try:
        members = _members(data)
    except Exception:  # an earlier mutation has damaged it, and zipfile has no error of its own for that
        return flip_bits(data, bench)
    large = [name for name, content in members.items() if content]
    if not large:
        return flip_bits(data, bench)
    name = bench.chance.choice(large)
    members[name] = bench.chance.choice(PLAIN)(members[name], bench)
    return _packed(members)


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > 8 * _MAX_BYTES:
            raise ValueError("too large to be packed again")
        return {info.filename: archive.read(info) for info in archive.infolist()}


def _packed(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content)
    return buffer.getvalue()


Mutation = Callable[[bytes, Bench], bytes]
PLAIN: tuple[Mutation, ...] = (
    flip_bits,
    write_noise,
    write_zeros,
    cut_off,
    cut_beginning,
    remove_block,
    double_block,
    repeat_block,
    nest,
    insert_words,
    swap_blocks,
    write_extremes,
    write_decimals,
    append_junk,
    splice,
    change_header,
)


class Mutator:
    def __init__(self, seeds: Sequence[tuple[str, Seed]], seed: int) -> None:
        self._seed = seed
        self.families: dict[str, list[Seed]] = {family: [] for family in sorted({family for family, _ in seeds})}
        for family, good in seeds:
            self.families[family].append(good)

    def named(self, label: str) -> Mutant:
        family, _, number = label.rpartition("-")
        return self.mutant(family, int(number))

    def mutant(self, family: str, number: int) -> Mutant:
        chance = Random(f"{self._seed} {family} {number}")
        bench = Bench(chance, self.families)
        good = bench.seed(family)
        data, applied = good.data, []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            if not data:
                break
            inside = data.startswith(b"PK\x03\x04") and chance.random() < 0.5
            mutation = change_member if inside else chance.choice(PLAIN)
            data = mutation(data, bench)[:_MAX_BYTES]
            applied.append(mutation.__name__)
        suffix = bench.stranger().suffix if chance.random() < 0.1 else good.suffix
        return Mutant(f"{family}-{number}", family, tuple(applied), suffix, data)
