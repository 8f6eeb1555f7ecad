"""What is told of a production that goes out: counts, ranges, gaps, versions. Pure; has no time of now in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from redwell.core.production.orders import REDACTED
from redwell.core.production.values import Production

Lines = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str
    lines: Lines


@dataclass(slots=True, kw_only=True)
class Account:
    """What was counted while the volume was written and read back."""

    case: str
    production: Production
    volume: str
    preset: str
    treatments: Mapping[str, int]
    custodians: Mapping[str, int]
    families: int
    files: Mapping[str, int]
    bytes: int
    redacted: int
    boxes: int
    gaps: Sequence[str]
    changed: int
    problems: Sequence[str] = ()
    accepted: Sequence[str] = ()
    elsewhere: int = 0
    unknown: Sequence[str] = ()
    closed: Sequence[str] = ()  # files around redacted documents that could not be looked into
    is_hidden: Callable[[str], bool] = lambda _text: False
    lint: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


def sections(account: Account) -> list[Section]:
    p = account.production
    frozen = datetime.fromtimestamp(p.created_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    found = [
        Section(
            title="Production",
            lines=[
                ("Case", account.case),
                ("Name", p.name),
                ("Volume", account.volume),
                ("Numbers", f"{p.range}, one for each {p.terms.by}"),
                ("Designation", p.terms.designation or "none"),
                ("Query", p.query or "all documents"),
                ("Families", "whole" if p.terms.families == "whole" else "only documents that were found"),
                ("Set frozen", frozen),
            ],
        ),
        Section(title="Counts", lines=_counts(account)),
        Section(title="Documents by custodian", lines=[(k or "none", f"{v:,}") for k, v in account.custodians.items()]),
        Section(title="Numbers without a document", lines=[(gap, "") for gap in account.gaps] or [("none", "")]),
        Section(title="Checks", lines=_checks(account)),
        Section(title="Versions", lines=list(account.versions.items())),
    ]
    return [_without_hidden(section, account.is_hidden) for section in found if section.lines]


def _without_hidden(section: Section, is_hidden: Callable[[str], bool]) -> Section:
    """The report goes out too: a query or a custodian may be what was redacted."""
    lines = [tuple(REDACTED if is_hidden(text) else text for text in line) for line in section.lines]
    return Section(title=section.title, lines=[(name, value) for name, value in lines])


def _counts(account: Account) -> Lines:
    p = account.production
    return [
        ("Documents", f"{p.documents:,}"),
        ("Families", f"{account.families:,}"),
        ("Pages", f"{p.pages:,}"),
        *((f"Documents {name}", f"{count:,}") for name, count in account.treatments.items()),
        ("Documents redacted", f"{account.redacted:,} ({account.boxes:,} boxes)"),
        *((f"Files: {name}", f"{count:,}") for name, count in account.files.items()),
        ("Bytes", f"{account.bytes:,}"),
        *((f"Not in it: {why}", f"{count:,}") for why, count in p.left_out.items()),
    ]


def _checks(account: Account) -> Lines:
    lines = [
        ("Load files read back", account.lint),
        ("Hashes read back", "every file is as it was written"),
    ]
    if account.redacted:
        lines.append(("Redacted words in the documents and their families", "none found"))
    if account.elsewhere:
        lines.append(("Redacted words elsewhere", f"{account.elsewhere:,}, confirmed"))
    lines += [("Could not be looked into, confirmed", each) for each in account.closed]
    if account.unknown:
        lines.append(("Redacted pages without known words", ", ".join(account.unknown)))
    lines.append(("Values that the load file could not hold as they are", f"{account.changed:,}"))
    lines += [("Accepted", each) for each in account.accepted]
    lines += [("Page that could not be drawn", each) for each in account.problems]
    return lines


def in_words(account: Account) -> str:
    made = []
    for section in sections(account):
        width = max(len(name) for name, _ in section.lines)
        made.append(f"{section.title}\n{'=' * len(section.title)}\n")
        made.append("".join(f"{name:<{width}}  {value}".rstrip() + "\n" for name, value in section.lines) + "\n")
    return "".join(made)
