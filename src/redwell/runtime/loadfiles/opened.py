"""Opens a load file for the commands `loadfile lint` and `map`: finds out how it is written. Reads, never writes.

These commands parse in their own process (ADR 35): the grammar is pure Python over text, with limits on lines and
values. What is imported goes through a sandboxed child instead.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from redwell.core.errors import NotFound, UserError
from redwell.core.loadfiles.formats.dialect import sign_name
from redwell.core.loadfiles.formats.encodings import FoundEncoding, decoded, find_encoding, given
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.sniff import FoundDialect, LoadFileKind, find_dialect, kind_of
from redwell.core.loadfiles.lines import Lines
from redwell.intake.untouched import open_untouched

_CHUNK = 1 << 20
_HEAD = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a person says of the file instead of its being found out; None: find out."""

    encoding: str | None = None
    separator: str | None = None
    qualifier: str | None = None
    header: bool | None = None


class OpenedLoadFile:
    def __init__(self, path: Path, told: Given) -> None:
        if not path.is_file():
            raise NotFound(f"there is no file {path}")
        self.path = path
        self._given = told

    def chunks(self) -> Iterator[bytes]:
        with os.fdopen(open_untouched(os.fsencode(self.path.resolve())), "rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    @cached_property
    def encoding(self) -> FoundEncoding:
        if self._given.encoding is None:
            return find_encoding(self.chunks())
        try:
            return given(self._given.encoding, next(self.chunks(), b""))
        except LookupError:
            raise UserError(
                f"there is no encoding {self._given.encoding!r}; utf-8, utf-16-le or cp1252 are usual"
            ) from None

    @cached_property
    def head(self) -> str:
        return "".join(islice(decoded(self.chunks(), self.encoding), 1))[:_HEAD]

    @cached_property
    def kind(self) -> LoadFileKind:
        return kind_of(self.head)

    @cached_property
    def found(self) -> FoundDialect:
        """How a delimited file is written; what a person gave is told as given."""
        found = find_dialect(self.head, cut=self.path.stat().st_size > _HEAD)
        signs = {name: getattr(self._given, name) for name in ("separator", "qualifier")}
        told = {name: sign for name, sign in signs.items() if sign is not None}
        if told:
            found = replace(found, dialect=replace(found.dialect, **told))
            first = next((row.values for row in Rows(self.lines(), found.dialect) if row.values), [])
            found = replace(found, width=len(first))
        if self._given.header is not None:
            found = replace(found, header=self._given.header)
            told["header"] = ""
        return replace(found, reasons={**found.reasons, **dict.fromkeys(told, "given")})

    def header(self) -> list[str] | None:
        """Its column names; None where its first row holds values."""
        rows = Rows(self.lines(), self.found.dialect, self.found.width)
        return next((row.values for row in rows if row.values), []) if self.found.header else None

    def take_beside(self, headers: Sequence[Sequence[str]]) -> None:
        """Other files of the volume have these: its first row may be values after all, unless a person says so."""
        if self.kind is LoadFileKind.DELIMITED and self._given.header is None:
            self.found = self.found.beside(headers)

    def lines(self) -> Lines:
        cr_only = self.kind is LoadFileKind.DELIMITED and "\n" not in self.head and "\r" in self.head
        return Lines(decoded(self.chunks(), self.encoding), "\r" if cr_only else "\n")

    def described(self) -> dict[str, object]:
        """How it is written, with the reason of each answer."""
        encoding = {"is": self.encoding.encoding, "mark": bool(self.encoding.mark), "because": self.encoding.reason}
        told: dict[str, object] = {"file": str(self.path), "kind": self.kind.value, "encoding": encoding}
        if self.kind is LoadFileKind.DELIMITED:
            d, why = self.found.dialect, self.found.reasons
            told["separator"] = {"is": sign_name(d.separator), "because": why["separator"]}
            told["qualifier"] = {"is": sign_name(d.qualifier), "because": why["qualifier"]}
            told["newline"] = {"is": sign_name(d.newline_sign), "because": why["newline"]}
            told["record end"] = {"is": sign_name(d.record_end), "because": why["record end"]}
            told["header"] = {"is": "yes" if self.found.header else "no", "because": why["header"]}
        return told
