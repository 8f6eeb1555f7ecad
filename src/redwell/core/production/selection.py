"""Which documents a production has, in which order, and what goes out of each. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from redwell.core.case.families import HOLDS_FAMILIES
from redwell.core.case.native_bytes import native_sha256
from redwell.core.case.rows import Exhibit
from redwell.core.outcomes import Outcome
from redwell.core.production.values import Member, Terms, Treatment
from redwell.core.work.renderers import SHEETS

_NATIVE_KINDS = frozenset({"recording"})  # nothing of them is a page
_NO_DOCUMENT = {Outcome.FILTERED: "filtered", Outcome.CANCELLED: "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Exhibits in the order in which they are numbered, and what is no document."""

    exhibits: list[Exhibit]
    left_out: dict[str, int] = field(default_factory=dict)


def left_out(exhibit: Exhibit) -> str:
    """Why it is no document that could go out; empty: it is one."""
    if exhibit.outcome is None:
        return "not finished"
    if exhibit.kind in HOLDS_FAMILIES:
        return "container"
    return _NO_DOCUMENT.get(Outcome(exhibit.outcome), "")


def in_order(exhibits: Iterable[Exhibit]) -> Chosen:
    """Families by the date, custodian and path of their heads; members as they were numbered when they came in."""
    families: dict[int, list[Exhibit]] = {}
    why = Counter[str]()
    for exhibit in exhibits:
        if reason := left_out(exhibit):
            why[reason] += 1
        else:
            families.setdefault(exhibit.family, []).append(exhibit)
    for members in families.values():
        members.sort(key=lambda member: member.control_number)
    ordered = sorted(families.values(), key=lambda members: _place(members[0]))
    return Chosen(exhibits=[each for members in ordered for each in members], left_out=dict(sorted(why.items())))


def _place(head: Exhibit) -> tuple[str, str, str, str]:
    return sort_date(head), head.custodian or "", head.path, head.control_number


def sort_date(head: Exhibit) -> str:
    """When it was sent, received or changed; what has no date comes last."""
    for name in ("date", "received", "modified", "created"):
        if told := head.metadata.get(name):
            return str(told)
    return head.source_dates.get("modified", "9999")


def wants_pages(exhibit: Exhibit, terms: Terms, withheld: Collection[int], redacted: Collection[int] = ()) -> bool:
    """Whether its PDF is needed: nothing is drawn of what is withheld or goes out as it is."""
    return exhibit.id not in withheld and (exhibit.id in redacted or not _goes_as_it_is(exhibit, terms))


def members_of(
    chosen: Sequence[Exhibit],
    terms: Terms,
    withheld: Mapping[int, str],
    pages: Mapping[int, int],
    redacted: Collection[int] = (),
) -> list[Member]:
    """With the numbers that begin at the terms' start. `pages` has those of which there is a PDF."""
    keys, members, at = {each.id for each in chosen}, list[Member](), terms.start
    for ordinal, exhibit in enumerate(chosen, 1):
        is_drawn = wants_pages(exhibit, terms, withheld, redacted)
        treatment = _treatment(exhibit, terms, pages.get(exhibit.id, 0) if is_drawn else 0)
        treatment = Treatment.WITHHELD if exhibit.id in withheld else treatment
        count = pages.get(exhibit.id, 0) if treatment is Treatment.PRODUCED else 1
        above = exhibit.parent if exhibit.parent in keys else exhibit.family
        members.append(
            Member(
                ordinal=ordinal,
                exhibit=exhibit.id,
                control=exhibit.control_number,
                family=exhibit.family,
                parent=above if above in keys and above != exhibit.id else None,
                treatment=treatment,
                reason=withheld.get(exhibit.id, ""),
                pages=count,
                first=at,
            )
        )
        at += count if terms.by == "page" else 1
    return members


def _treatment(exhibit: Exhibit, terms: Terms, pages: int) -> Treatment:
    if pages:
        return Treatment.PRODUCED
    goes = _goes_as_it_is(exhibit, terms) or (native_sha256(exhibit) is not None and terms.natives == "all")
    return Treatment.NATIVE if goes else Treatment.NO_RENDITION


def _goes_as_it_is(exhibit: Exhibit, terms: Terms) -> bool:
    is_native = exhibit.media_type in SHEETS or exhibit.kind in _NATIVE_KINDS or exhibit.kind == "spreadsheet"
    return terms.natives != "none" and is_native and native_sha256(exhibit) is not None


def closed_above(members: Iterable[Member], hidden: Collection[int]) -> set[int]:
    """Exhibits whose own bytes must not go out: they hide something, or something inside of them does."""
    above = {member.exhibit: member.parent for member in members}
    found = set[int]()
    for key in hidden:
        at: int | None = key
        while at is not None and at not in found:
            found.add(at)
            at = above.get(at)
    return found
