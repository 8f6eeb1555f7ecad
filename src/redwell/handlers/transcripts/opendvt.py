"""OpenDVT: a transcript that is synchronised with video. Its lines become text with page and line. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.core.transcripts.facts import facts
from redwell.core.transcripts.layout import Layout, lay_out
from redwell.core.transcripts.opendvt import DvtTranscript, as_text, read_dvt

SPEC = HandlerSpec(name="opendvt", media_types=frozenset({"application/x-opendvt+xml"}), score=60, kind="transcript")
_CHUNK = 1 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        found = read_dvt(iter(lambda: file.read(_CHUNK), b""))
    if not found.lines:
        raise InvalidFile("it has no lines")
    text = as_text(found.lines)
    layout = lay_out(text)
    yield Metadata(values={**_told(found, text, layout), "transcript_form": "opendvt"})
    yield Pages(count=len({line.page for line in found.lines}))
    yield Text(text=text)
    if found.declared is not None and found.declared != len(found.lines):
        detail = f"it declares {found.declared:,} lines and has {len(found.lines):,}"
        yield Trouble(code=Code.COUNT_MISMATCH, detail=detail)


def _told(found: DvtTranscript, text: str, layout: Layout | None) -> dict[str, MetaValue]:
    """What its own elements say comes before what its words say."""
    told = found.told
    name = " ".join(part for part in (told.get("FirstName", ""), told.get("LastName", "")) if part)
    own = {"deponent": name, "taken_on": told.get("TakenOn", ""), "case_number": told.get("MatterNumber", "")}
    own["reporter"] = told.get("Name", "")
    volume = told.get("Volume", "")
    values: dict[str, MetaValue] = dict(facts(text, layout)) if layout else {}
    values.update({name: value for name, value in own.items() if value})
    if volume.isdecimal():
        values["transcript_volume"] = int(volume)
    return values
