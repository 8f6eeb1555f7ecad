"""Which files are volumes of one set, by their names: in what order, and what is missing. Pure.

Used by the case store, which joins a set when all of its files have been read, and by whoever makes a task of it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from redwell.core.type_hints import extension_of, name_hint

LAST = 100_000  # the number of a split ZIP's last volume, whose name has none
_MOST = 1_000  # volumes of a set
_ROLE = "+"  # in a context: what stands behind says what the content is in its set
PART = "+part"  # the context of volumes that are not the head
ASSEMBLED = "+assembled"  # of documents that were put together of files (core.loadfiles.assembly)

Item = TypeVar("Item")


class Scheme(StrEnum):
    """A way to number volumes."""

    ZIP = "zip"
    RAR = "rar"
    OLD_RAR = "oldrar"
    ARJ = "arj"
    CAB = "cab"
    SPLIT = "split"  # a file of any kind, cut into pieces
    LETTERS = "letters"  # the same, as `split` calls them: aa, ab, ac


class Place(NamedTuple):
    """Where in which set a file stands, if there is such a set; `stem` is what all of its names begin with."""

    stem: str
    scheme: Scheme
    number: int


class File(NamedTuple, Generic[Item]):
    item: Item
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class VolumeSet(Generic[Item]):
    head: Item
    volumes: Sequence[tuple[int, Item]]  # in the order of their bytes, with the head
    others: Sequence[Item]
    scheme: Scheme
    hint: str  # of the name that the joined file has


_ZIP = re.compile(r"(.+\.)z(\d{2,3})\Z", re.I | re.S)
_PART = re.compile(r"(.+\.)part(\d{1,4})\.rar\Z", re.I | re.S)
_UNPACKS_ITSELF = re.compile(r"(.+\.)part0*1\.exe\Z", re.I | re.S)
_OLD = re.compile(r"(.+\.)([r-v])(\d\d)\Z", re.I | re.S)
_ARJ = re.compile(r"(.+\.)a(\d\d)\Z", re.I | re.S)
_CAB = re.compile(r"(.*?)(?<!\d)(\d{1,3})\.cab\Z", re.I | re.S)
_LETTERS = re.compile(r"(.+\.)([a-z])([a-z])\Z", re.S)
_PIECE = re.compile(r"(.+\.)(\d{3})\Z", re.S)
_PACKED = frozenset("gz bz xz lz br sz zz".split())
_CUT = (Scheme.SPLIT, Scheme.LETTERS)
_ALWAYS_SPLIT = frozenset("7z zip rar tar tgz gz bz2 xz zst cab iso wim pst ost mbox".split())


def place_of(path: str) -> Place | None:
    """The place that a name stands for; None for one that no volume has."""
    extension = path[-4:].lower()
    if extension == ".zip":
        return Place(path[:-3], Scheme.ZIP, LAST)
    if extension == ".rar":
        found = _PART.match(path)
        return _checked(found[1], Scheme.RAR, int(found[2])) if found else Place(path[:-3], Scheme.OLD_RAR, 1)
    if extension == ".exe":
        found = _UNPACKS_ITSELF.match(path)
        return Place(found[1], Scheme.RAR, 1) if found else None
    if extension == ".arj":
        return Place(path[:-3], Scheme.ARJ, 1)
    if extension == ".cab":
        found = _CAB.match(path)
        return _checked(found[1], Scheme.CAB, int(found[2])) if found else None
    if not path[-2:].isdigit():
        return _letters(path)
    if found := _PIECE.match(path):
        return _checked(found[1], Scheme.SPLIT, int(found[2]))
    if found := _ZIP.match(path):
        return _checked(found[1], Scheme.ZIP, int(found[2]))
    if found := _ARJ.match(path):
        return _checked(found[1], Scheme.ARJ, int(found[2]) + 1)
    found = _OLD.match(path)
    return _checked(found[1], Scheme.OLD_RAR, _old_number(found[2], found[3])) if found else None


def _letters(path: str) -> Place | None:
    """Only behind a name that says what was cut, and never `.tar.gz`: many files end in two letters."""
    found = _LETTERS.match(path) if path[-3:-2] == "." else None
    if not found or extension_of(found[1][:-1]) not in _ALWAYS_SPLIT or path[-2:] in _PACKED:
        return None
    return Place(found[1], Scheme.LETTERS, 1 + 26 * (ord(found[2]) - ord("a")) + ord(found[3]) - ord("a"))


def _checked(stem: str, scheme: Scheme, number: int) -> Place | None:
    return Place(stem, scheme, number) if 0 < number < _MOST else None


def _old_number(letter: str, digits: str) -> int:
    return 2 + 100 * (ord(letter.lower()) - ord("r")) + int(digits)


def suffix_of(scheme: Scheme, number: int) -> str:
    """How the name of this volume ends, or would if it were there."""
    match scheme:
        case Scheme.ZIP:
            return ".zip" if number == LAST else f".z{number:02}"
        case Scheme.RAR:
            return f".part{number}.rar"
        case Scheme.OLD_RAR:
            letter, digits = divmod(number - 2, 100)
            return ".rar" if number == 1 else f".{chr(ord('r') + letter)}{digits:02}"
        case Scheme.ARJ:
            return ".arj" if number == 1 else f".a{number - 1:02}"
        case Scheme.CAB:
            return f"{number}.cab"
        case Scheme.SPLIT:
            return f".{number:03}"
        case Scheme.LETTERS:
            first, second = divmod(number - 1, 26)
            return f".{chr(ord('a') + first)}{chr(ord('a') + second)}"


def sets_of(files: Iterable[File[Item]]) -> Iterator[VolumeSet[Item]]:
    """The sets among the files of one folder or container; a file that is in none is left alone."""
    groups: dict[tuple[str, Scheme], dict[int, list[File[Item]]]] = {}
    for file in files:
        if place := place_of(file.path):
            groups.setdefault((place.stem, place.scheme), {}).setdefault(place.number, []).append(file)
    for (stem, scheme), by_number in groups.items():
        if len(by_number) > 1 and all(len(same) == 1 for same in by_number.values()):
            volumes = [(number, by_number[number][0]) for number in sorted(by_number)]
            if _may_be_set(stem, scheme, volumes):
                yield _set_of(stem, scheme, volumes)


def _may_be_set(stem: str, scheme: Scheme, volumes: Sequence[tuple[int, File[Item]]]) -> bool:
    if scheme is Scheme.LETTERS:
        return volumes[0][0] == 1
    return scheme is not Scheme.SPLIT or _is_split(stem, [file.size for _, file in volumes])


def _is_split(stem: str, sizes: Sequence[int]) -> bool:
    """Numbered pages are no pieces of a file; pieces are cut to one size."""
    return extension_of(stem[:-1]) in _ALWAYS_SPLIT or (len({*sizes[:-1]}) == 1 and 0 < sizes[-1] <= sizes[0])


def _set_of(stem: str, scheme: Scheme, volumes: Sequence[tuple[int, File[Item]]]) -> VolumeSet[Item]:
    head = volumes[-1 if volumes[-1][0] == LAST else 0][1]
    return VolumeSet(
        head=head.item,
        volumes=[(number, file.item) for number, file in volumes],
        others=[file.item for _, file in volumes if file is not head],
        scheme=scheme,
        hint=name_hint(stem[:-1]) if scheme in _CUT else "",
    )


def in_one_run(scheme: Scheme, numbers: Sequence[int]) -> Sequence[int]:
    """The volumes that can be read behind each other: of a split file nothing behind a gap makes sense."""
    if scheme not in _CUT:
        return numbers
    return [number for at, number in enumerate(numbers) if number == numbers[0] + at]


def missing(scheme: Scheme, numbers: Sequence[int]) -> list[str]:
    """How the names of volumes end that must be there since later ones are. Cabinets tell it themselves."""
    if scheme is Scheme.CAB:
        return []
    known = [number for number in numbers if number != LAST]
    gaps = sorted(set(range(1, max(known, default=0))) - set(known))
    ends = [suffix_of(scheme, number) for number in gaps]
    return [*ends, ".zip"] if scheme is Scheme.ZIP and LAST not in numbers else ends


def context_of_set(scheme: Scheme, hint: str, contents: Sequence[tuple[int, bytes]]) -> str:
    """The context of the head's derivation: another one wherever a volume is another one."""
    digest = hashlib.sha256()
    for number, sha256 in contents:
        digest.update(b"%d:%s;" % (number, sha256))
    return f"{hint}{_ROLE}{scheme}.{digest.hexdigest()[:32]}"


def is_context_of(context: str, contents: Sequence[tuple[int, bytes]]) -> bool:
    scheme = scheme_in(context)
    return scheme is not None and context == context_of_set(scheme, hint_in(context), contents)


def hint_in(context: str) -> str:
    """The part of a context that stands for a name."""
    return context.partition(_ROLE)[0]


def name_in(context: str) -> str:
    """A name that says no more than the context does."""
    hint = hint_in(context)
    return f"document.{hint}" if hint else "document"


def scheme_in(context: str) -> Scheme | None:
    """Of the context of a set's head; None for any other."""
    told = context.partition(_ROLE)[2].partition(".")
    return Scheme(told[0]) if told[1] else None
