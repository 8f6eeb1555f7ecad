"""The fields of a document in the load files that go out with it. Pure.

Of what is withheld or redacted only numbers, family, custodian and designation are told: its other fields may say what
is hidden.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from redwell.core.case.native_bytes import native_md5, native_sha256, native_size
from redwell.core.case.rows import Exhibit
from redwell.core.loadfiles.presets import Layout
from redwell.core.production.values import Member, Terms, Treatment, last_number

_DATES = {"datesent": "date", "datercvd": "received", "createdate": "created", "moddate": "modified"}
_TIMES = {"datesent": "timesent", "datercvd": "timercvd", "createdate": "createtime", "moddate": "modtime"}
_TOLD = {
    "from": "from",
    "to": "to",
    "cc": "cc",
    "bcc": "bcc",
    "subject": "subject",
    "messageid": "message_id",
    "author": "author",
    "lastauthor": "last_modified_by",
    "title": "title",
    "language": "language",
}
NUMBERS = ("docid", "begbates", "endbates", "begattach", "endattach", "parentid", "attachids", "volume", "custodian",
           "allcustodians", "pgcount", "recordtype", "confidentiality", "redacted", "withheld")  # fmt: skip
OTHERS = ("from", "to", "cc", "bcc", "subject", "datesent", "timesent", "datercvd", "timercvd", "messageid", "filename",
          "fileext", "filepath", "filesize", "md5", "sha256", "mimetype", "author", "lastauthor", "title",
          "createdate", "createtime", "moddate", "modtime", "timezone", "language", "exception")  # fmt: skip
FILES = ("textpath", "nativepath", "imagepath")
# what receivers call the columns; others are as core.loadfiles.fields has them
NAMES: Mapping[str, Mapping[str, str]] = {
    "nuix": {"nativepath": "ITEMPATH", "imagepath": "PDFPATH"},
    "nextpoint": {"begbates": "bates_start", "endbates": "bates_end", "from": "email_author", "to": "recipients"},
    "doj": {"nativepath": "DOCLINK", "textpath": "TEXTLINK", "custodian": "CUSTDIAN"},
    "relativity": {"docid": "Control Number", "begbates": "Production::Begin Bates",
                   "endbates": "Production::End Bates", "begattach": "Production::Beg Attach",
                   "endattach": "Production::End Attach", "nativepath": "Native File",
                   "textpath": "Extracted Text"},
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a row is told besides its own document."""

    terms: Terms
    layout: Layout
    volume: str
    zone: tzinfo
    zone_name: str


def columns_of(layout: Layout, images: str) -> list[str]:
    times = {*_TIMES.values()} if not layout.split_times else set()
    paths = [path for path in FILES if path != "imagepath" or images == "pdf"]
    return [name for name in (*NUMBERS, *OTHERS) if name not in times] + paths


def numbers_of(terms: Terms, members: Sequence[Member]) -> dict[int, dict[str, str]]:
    """Numbers and families, by exhibit."""
    spans: dict[int, tuple[int, int]] = {}
    children: dict[int, list[str]] = {}
    first = {member.exhibit: str(terms.number(member.first)) for member in members}
    for member in members:
        low, high = spans.get(member.family, (member.first, member.first))
        spans[member.family] = min(low, member.first), max(high, last_number(terms, member))
        if member.parent is not None:
            children.setdefault(member.parent, []).append(first[member.exhibit])
    sizes: dict[int, int] = {}
    for member in members:
        sizes[member.family] = sizes.get(member.family, 0) + 1
    return {
        member.exhibit: {
            "docid": first[member.exhibit],
            "begbates": first[member.exhibit],
            "endbates": str(terms.number(last_number(terms, member))),
            "begattach": str(terms.number(spans[member.family][0])) if sizes[member.family] > 1 else "",
            "endattach": str(terms.number(spans[member.family][1])) if sizes[member.family] > 1 else "",
            "parentid": first.get(member.parent or 0, ""),
            "attachids": ";".join(children.get(member.exhibit, ())),
        }
        for member in members
    }


def fields_of(
    member: Member, exhibit: Exhibit, about: Circumstances, numbers: Mapping[str, str], *, is_redacted: bool
) -> dict[str, str]:
    """Every field but the paths."""
    fields = {
        **numbers,
        "volume": about.volume,
        "custodian": exhibit.custodian or "",
        "allcustodians": about.layout.dialect.multi.join(exhibit.custodians),
        "pgcount": str(member.pages),
        "recordtype": _record_type(member, exhibit),
        "confidentiality": about.terms.designation,
        "redacted": "Y" if is_redacted else "N",
        "withheld": "Y" if member.treatment is Treatment.WITHHELD else "N",
    }
    if is_redacted or member.treatment is Treatment.WITHHELD:
        return fields
    return {**fields, **_others(exhibit, about)}


def _record_type(member: Member, exhibit: Exhibit) -> str:
    if exhibit.kind == "mail" and member.parent is None:
        return "E-mail"
    return "Attachment" if member.parent is not None else "File"


def _others(exhibit: Exhibit, about: Circumstances) -> dict[str, str]:
    told = {name: _shown(exhibit.metadata.get(of), about) for name, of in _TOLD.items()}
    stem, dot, ending = exhibit.name.rpartition(".")
    fields = {
        **told,
        "filename": exhibit.name,
        "fileext": ending if stem and dot else "",
        "filepath": exhibit.path,
        "filesize": "" if (size := native_size(exhibit)) is None else str(size),
        "md5": native_md5(exhibit),
        "sha256": own.hex() if (own := native_sha256(exhibit)) else "",
        "mimetype": exhibit.media_type or "",
        "timezone": about.zone_name,
        "exception": "; ".join(problem.code for problem in exhibit.problems),
    }
    for name, of in _DATES.items():
        fields[name], clock = _dated(exhibit.metadata.get(of), about)
        if about.layout.split_times:
            fields[_TIMES[name]] = clock
    return fields


def _shown(value: object, about: Circumstances) -> str:
    if isinstance(value, list):
        return about.layout.dialect.multi.join(map(str, value))
    return "" if value is None else str(value)


def _dated(value: object, about: Circumstances) -> tuple[str, str]:
    """In the case's time zone; what is no date is left out."""
    try:
        when = datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        when = None
    if when is None:
        return "", ""
    zoned = when.astimezone(about.zone) if when.tzinfo else when.replace(tzinfo=UTC)
    return about.layout.dated(zoned)


def header_of(columns: Sequence[str], layout: Layout, preset: str) -> list[str]:
    names = NAMES.get(preset, {})
    return [names.get(column) or layout.named(column) for column in columns]
