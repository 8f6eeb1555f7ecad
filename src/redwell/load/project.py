"""Projects finished exhibits into the search index: the last step of a load. Called by the loader, and by verify."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter

from msgspec import structs

from redwell.core.blobs import NOTHING
from redwell.core.case.copies import ALONE, Standing
from redwell.core.case.filing import UNFILED, Filed
from redwell.core.case.rows import Exhibit, ToLoad
from redwell.core.case.seals import seal
from redwell.core.loadfiles.bates import numbers_within
from redwell.core.search.fields import FieldValue, metadata_field
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.speech import utterances
from redwell.load.loading import Loading
from redwell.load.texts import with_texts
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.search_index import Entry

_TRANSCRIPT = "transcript"
_NAME = itemgetter(0)
_CONTAINERS = {"archive", "delivery", "mailbox", "image-of-disk", "volume"}


def entry_of(exhibit: Exhibit | ToLoad, text: str, standing: Standing = ALONE, filed: Filed = UNFILED) -> Entry:
    """What of an exhibit is searchable; the same exhibit gives the same entry and digest."""
    known: dict[str, FieldValue | None] = {  # by name, as the digest wants them
        "batch": str(exhibit.batch),
        "control_number": exhibit.control_number,
        "custodian": _custodians(exhibit.custodian, standing),
        "duplicate": standing.original,
        "family": exhibit.family_number,
        "folder": filed.folder,
        "has": _has(exhibit, standing),
        "kind": exhibit.kind,
        "md5": exhibit.md5.hex() if exhibit.md5 else "",
        "media_type": exhibit.media_type,
        "name": exhibit.name,
        "outcome": exhibit.outcome,
        "path": exhibit.path,
        "problem": tuple(dict.fromkeys(problem.code for problem in exhibit.problems)) if exhibit.problems else (),
        "sha256": exhibit.sha256.hex() if exhibit.sha256 else "",
        "size": exhibit.size,
        "sort_date": filed.sort_date,
    }
    for name, value in exhibit.metadata.items():
        known[metadata_field(name)] = value if type(value) is str else _plain(value)
    fields = {name: value for name, value in known.items() if value or value == 0}
    digest = digest_of(exhibit, fields)
    # behind the digest, which tells text and numbers already
    if text and (exhibit.kind == _TRANSCRIPT or exhibit.metadata.get("transcript_form")):
        fields |= _said(text)
    if isinstance(bates := exhibit.metadata.get("bates"), str):
        fields[metadata_field("bates")] = (bates, *numbers_within(bates))
    return Entry(exhibit=exhibit.id, digest=digest, text=text, fields=fields, family=exhibit.family)


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
    return (
        entry_of(exhibit, text, standing_of(exhibit), filed_of(exhibit))
        for exhibit, text in with_texts(found, rows, blobs)
    )


def standing_of(exhibit: Exhibit) -> Standing:
    """As a reader of the case sees it."""
    names = tuple(exhibit.custodians)
    return Standing(exhibit.duplicate_number or "", names, is_copied=True) if exhibit.is_copied else ALONE


def filed_of(exhibit: Exhibit) -> Filed:
    return Filed(exhibit.folder, exhibit.sort_date)


def _custodians(own: str | None, standing: Standing) -> FieldValue | None:
    """Whoever looks for a custodian's documents and leaves copies out finds the one in front."""
    if standing.original or not standing.custodians:
        return own
    return tuple(sorted({*standing.custodians, *([own] if own else [])}))


def _has(exhibit: Exhibit | ToLoad, standing: Standing) -> tuple[str, ...]:
    """What `has:` finds. Members of archives and mailboxes are no attachments."""
    text = "text" if exhibit.text not in (None, NOTHING) or exhibit.ocr else "notext"
    found = ("attachment", text) if exhibit.has_members and exhibit.kind not in _CONTAINERS else (text,)
    if standing.original:
        return (*found, "duplicate")
    return (*found, "copies") if standing.is_copied else found


def digest_of(exhibit: Exhibit | ToLoad, fields: Mapping[str, FieldValue]) -> str:
    texts = (exhibit.text,) if exhibit.ocr is None else (exhibit.text, exhibit.ocr)
    return seal((*texts, sorted(fields.items(), key=_NAME))).hex()


def _plain(value: object) -> str:
    return " ; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _as_shown(exhibit: ToLoad) -> ToLoad:
    """With the text that an overlay gave it, if one did."""
    given = exhibit.given_text
    return exhibit if given is None else structs.replace(exhibit, text=given, ocr=None)


def add_entries(case: Loading, loaded: Sequence[ToLoad]) -> None:
    """The index step: from the next commit on they are found as they are now."""
    chars = 0
    exhibits = [_as_shown(exhibit) for exhibit in loaded]
    standings = case.queue.standings([exhibit.id for exhibit in exhibits])
    filed = {**case.filed, **case.queue.filed([each.id for each in exhibits if each.id not in case.filed])}
    given = {exhibit.id for exhibit in exhibits if exhibit.given_text is not None}
    texts = {key: text for key, text in case.texts.items() if key not in given}  # as they came
    unread = (exhibit for exhibit in exhibits if exhibit.id not in texts)

    def entries() -> Iterator[Entry]:
        nonlocal chars
        read = ((exhibit, texts[exhibit.id]) for exhibit in exhibits if exhibit.id in texts)
        for exhibit, text in chain(read, with_texts(unread, case.queue, case.blobs)):
            chars += len(text)
            yield entry_of(exhibit, text, standings.get(exhibit.id, ALONE), filed.get(exhibit.id, UNFILED))

    case.index.replace(entries())
    case.added.chars += chars
