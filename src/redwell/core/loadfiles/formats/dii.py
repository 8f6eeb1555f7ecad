"""Summation DII: tokens at the start of lines, a record from one `@T` to the next. Reads and writes it. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_MANY = frozenset({"@EATTACH", "@ATTACH", "@ATTACHRANGE", "@ATTMSG"})
DII_FIELDS = {"ATTACH": "attachids", "EDOC": "nativepath"}  # tokens that are fields under other names
_BODY, _BODY_END = "@EMAIL-BODY", "@EMAIL-END"


@dataclass(slots=True, kw_only=True)
class DiiRecord:
    """`fields` by the name that `@C` or the token gives them; `images` in the order of the pages."""

    id: str
    row: int
    fields: dict[str, str] = field(default_factory=dict)
    folder: str = ""
    images: list[str] = field(default_factory=list)
    faults: list[tuple[str, int]] = field(default_factory=list)  # code of a rule, row


def read_records(lines: Iterable[str]) -> Iterator[DiiRecord]:
    """Each record; what `@C` says before the first `@T` holds for all of them."""
    reader = _Reader()
    for number, raw in enumerate(lines, 1):
        done = reader.line(raw.removesuffix("\r"), number)
        if done:
            yield done
    if reader.record:
        yield reader.finished()


class _Reader:
    def __init__(self) -> None:
        self.record: DiiRecord | None = None
        self._common: dict[str, str] = {}
        self._body: list[str] | None = None

    def finished(self) -> DiiRecord:
        record = self.record
        assert record is not None
        if self._body is not None:
            record.faults.append(("token-not-closed", record.row))
            record.fields["EMAIL-BODY"], self._body = "\n".join(self._body), None
        return record

    def line(self, line: str, row: int) -> DiiRecord | None:
        """The record before, when this line begins another."""
        if self._body is not None and not line.startswith((_BODY_END, "@T ")):
            self._body.append(line)
            return None
        if not line.strip() or line.startswith(";"):
            return None
        token, _, value = line.partition(" ")
        if token == "@T":
            done = self.finished() if self.record else None
            self.record = DiiRecord(id=value.strip(), row=row, fields=dict(self._common))
            return done
        if not token.startswith("@"):
            self._image(line, row)
        else:
            self._token(token.upper(), value.strip(), row)
        return None

    def _image(self, line: str, row: int) -> None:
        if self.record:
            self.record.images.append(line.strip())

    def _token(self, token: str, value: str, row: int) -> None:
        fields = self.record.fields if self.record else self._common
        if token == "@C":
            name, _, told = value.partition(" ")
            fields[name] = told.strip()
        elif token == "@D" and self.record:
            self.record.folder = value
        elif token == _BODY:
            self._body = []
        elif token == _BODY_END and self.record:
            fields["EMAIL-BODY"], self._body = "\n".join(self._body or []), None
        elif token in _MANY and token[1:] in fields:
            fields[token[1:]] += f";{value}"
        else:
            fields[token[1:]] = value


def write_record(record: DiiRecord) -> str:
    """Fields as `@C` lines: a line break inside a value becomes a blank, as the format has no way to write one."""
    lines = [f"@T {record.id}"]
    lines += [f"@C {name} {' '.join(value.split())}" for name, value in record.fields.items()]
    if record.folder:
        lines.append(f"@D {record.folder}")
    return "\r\n".join([*lines, *record.images]) + "\r\n"
