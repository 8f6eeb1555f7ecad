"""Projects finished exhibits into the search index: the last step of a load. Called by the loader, and by verify."""

from collections.abc import Iterator, Mapping, Sequence

from redwell.core.case.numbers import MEMBER_MARK
from redwell.core.case.rows import Exhibit, ToLoad
from redwell.core.case.seals import seal
from redwell.core.search.fields import FieldValue, metadata_field
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.speech import utterances
from redwell.load.loading import Loading
from redwell.load.texts import with_texts
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.search_index import Entry

_TRANSCRIPT = "transcript"
_CONTAINERS = {"archive", "delivery", "mailbox", "image-of-disk", "volume"}


def entry_of(exhibit: Exhibit | ToLoad, text: str) -> Entry:
    """What of an exhibit is searchable; the same exhibit gives the same entry and digest."""
    known: dict[str, FieldValue | None] = {
        "name": exhibit.name,
        "path": exhibit.path,
        "control_number": exhibit.control_number,
        "batch": str(exhibit.batch),
        "custodian": exhibit.custodian,
        "kind": exhibit.kind,
        "media_type": exhibit.media_type,
        "outcome": exhibit.outcome,
        "sha256": exhibit.sha256.hex() if exhibit.sha256 else "",
        "md5": exhibit.md5.hex() if exhibit.md5 else "",
        "size": exhibit.size,
        "problem": tuple(dict.fromkeys(problem.code for problem in exhibit.problems)),
        "has": tuple(_has(exhibit)),
        "family": exhibit.control_number.rsplit(MEMBER_MARK, exhibit.depth)[0],
    }
    for name, value in exhibit.metadata.items():
        known[metadata_field(name)] = value if type(value) is str else _plain(value)
    fields = {name: value for name, value in known.items() if value or value == 0}
    digest = digest_of(exhibit, fields)
    if exhibit.kind == _TRANSCRIPT and text:  # behind the digest, which tells the text already
        fields |= _said(text)
    return Entry(exhibit=exhibit.id, digest=digest, text=text, fields=fields, family=exhibit.root)


def _said(text: str) -> dict[str, FieldValue]:
    """What `q:` and `a:` look for."""
    layout = lay_out(text)
    said = dict[str, list[str]]()
    for each in utterances(text, layout) if layout else ():
        said.setdefault(metadata_field(each.speaker.lower()), []).append(each.words)
    return {name: tuple(words) for name, words in said.items()}


def entries_of(rows: CaseReader, blobs: BlobReader, exhibits: Sequence[int]) -> Iterator[Entry]:
    """As they would be indexed now; for whoever searches, since the index keeps no text."""
    found = rows.some(exhibits).values()
    return (entry_of(exhibit, text) for exhibit, text in with_texts(found, rows, blobs))


def _has(exhibit: Exhibit | ToLoad) -> Iterator[str]:
    """What `has:` finds. Members of archives and mailboxes are no attachments."""
    if exhibit.has_members and exhibit.kind not in _CONTAINERS:
        yield "attachment"
    yield "text" if exhibit.text or exhibit.ocr else "notext"


def digest_of(exhibit: Exhibit | ToLoad, fields: Mapping[str, FieldValue]) -> str:
    texts = (exhibit.text,) if exhibit.ocr is None else (exhibit.text, exhibit.ocr)
    return seal((*texts, sorted(fields.items()))).hex()


def _plain(value: object) -> str:
    return " ; ".join(map(str, value)) if isinstance(value, list) else str(value)


def add_entries(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    """The index step: from the next commit on they are found as they are now."""
    chars = 0

    def entries() -> Iterator[Entry]:
        nonlocal chars
        for exhibit, text in with_texts(exhibits, case.queue, case.blobs):
            chars += len(text)
            yield entry_of(exhibit, text)

    case.index.replace(entries())
    case.added.chars += chars
