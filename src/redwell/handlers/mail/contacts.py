"""Address cards (vCard): fields of the first card, the text of all of them, pictures as files. Runs in a child."""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.mail.content_lines import Line, files, read_lines

SPEC = HandlerSpec(name="contacts", media_types=frozenset(("text/vcard",)), kind="contact")
_NAMES = {
    "FN": "full_name",
    "ORG": "organization",
    "TITLE": "job_title",
    "BDAY": "birthday",
    "NICKNAME": "nickname",
    "URL": "url",
    "NOTE": "note",
    "REV": "modified",
}
_LISTS = {"EMAIL": "email", "TEL": "phone", "ADR": "address", "IMPP": "instant_messaging"}
_STRUCTURED = frozenset(("N", "ADR", "ORG"))
_NOT_SHOWN = frozenset(("BEGIN", "END", "VERSION", "PRODID", "UID", "REV"))


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    lines = list(read_lines(source.read()))
    yield Metadata(values=_fields(lines))
    shown = (_shown(line) for line in lines if line.name not in _NOT_SHOWN - {"END"} and line.binary is None)
    yield Text(text="\n".join(shown).strip()[: options.max_text_chars])
    if lines and lines[-1].name != "END":
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail="the last card is cut off")
    yield from files(lines, options)


def _fields(lines: list[Line]) -> dict[str, MetaValue]:
    found: dict[str, MetaValue] = {"items": sum(line.name == "BEGIN" for line in lines)}
    lists: dict[str, list[str]] = {}
    for line in takewhile(lambda line: line.name != "END", lines):
        if line.name in _LISTS:
            lists.setdefault(_LISTS[line.name], []).append(_value(line))
        elif line.name in _NAMES:
            found.setdefault(_NAMES[line.name], _value(line))
        elif line.name == "N":
            family, given = (*line.fields, "", "")[:2]
            found |= {"family_name": family, "given_name": given}
    found.setdefault("title", found.get("full_name", ""))
    return {name: value for name, value in (found | lists).items() if value}


def _value(line: Line) -> str:
    if line.name in _STRUCTURED:
        return ", ".join(filter(None, line.fields))
    return line.text.removeprefix("tel:").removeprefix("mailto:")


def _shown(line: Line) -> str:
    """A line of the text; a blank one between cards."""
    return "" if line.name == "END" else f"{line.name.capitalize()}: {_value(line)}"
