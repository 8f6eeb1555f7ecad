"""What stands against letting a production go out. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from redwell.core.case.native_bytes import native_sha256
from redwell.core.case.rows import Exhibit
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Terms, Treatment


class Rule(NamedTuple):
    blocks: bool
    meaning: str
    remedy: str


RULES: dict[str, Rule] = {
    "forbidden-tag": Rule(True, "it has a tag that must not go out", "take the tag off, or withhold what has it"),
    "withheld-since": Rule(
        True, "it got a tag of what is withheld after the set was frozen", "make the production anew under another name"
    ),
    "family-incomplete": Rule(
        True, "members of its family are not in the set", "leave out --families hits, or --accept it"
    ),
    "copy-differs": Rule(
        True, "a copy of it is withheld or redacted, and it is not", "treat both alike, or --accept it"
    ),
    "redaction-lost": Rule(
        True, "a redaction lies on a page that does not go out", "redact the page that it was meant for"
    ),
    "no-rendition": Rule(False, "there is no PDF of it: a page says so in its place", "`redwell exceptions` says why"),
    "not-whole": Rule(False, "it was not read in full", "`redwell exceptions` says why"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    code: str
    control: str
    detail: str = ""

    @property
    def rule(self) -> Rule:
        return RULES[self.code]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is known of the members when they are looked at."""

    terms: Terms
    members: Sequence[Member]
    exhibits: Mapping[int, Exhibit]
    tags: Mapping[int, Sequence[str]]  # names, by exhibit
    redactions: Mapping[int, Sequence[Redaction]]
    missing: Mapping[int, int]  # by family, members that are documents and not in the set

    @property
    def hiding(self) -> set[int]:
        withheld = {member.exhibit for member in self.members if member.treatment is Treatment.WITHHELD}
        return withheld | {key for key, boxes in self.redactions.items() if boxes}


def conflicts(standing: Standing) -> Iterator[Conflict]:
    """In the order of the members."""
    hidden_copies = _hidden_copies(standing)
    told = set[int]()
    for member in standing.members:
        yield from _of_tags(member, standing)
        if member.family not in told and (count := standing.missing.get(member.family, 0)):
            told.add(member.family)
            yield Conflict(code="family-incomplete", control=member.control, detail=f"{count} of them")
        exhibit = standing.exhibits.get(member.exhibit)
        if exhibit is None:
            continue
        own = native_sha256(exhibit)
        if own in hidden_copies and member.exhibit not in standing.hiding:
            yield Conflict(code="copy-differs", control=member.control, detail=hidden_copies[own])
        if member.treatment is Treatment.NO_RENDITION:
            yield Conflict(code="no-rendition", control=member.control, detail=exhibit.detail)
        elif exhibit.outcome == "PARTIAL":
            yield Conflict(code="not-whole", control=member.control, detail=_problems(exhibit))
        for redaction in standing.redactions.get(member.exhibit, ()):
            if member.treatment is not Treatment.WITHHELD and redaction.page > member.pages:
                yield Conflict(code="redaction-lost", control=member.control, detail=f"page {redaction.page}")


def _of_tags(member: Member, standing: Standing) -> Iterator[Conflict]:
    names = {name.casefold(): name for name in standing.tags.get(member.exhibit, ())}
    if member.treatment is Treatment.WITHHELD:
        return
    for code, tags in (("forbidden-tag", standing.terms.forbid), ("withheld-since", standing.terms.withhold)):
        for tag in tags:
            if tag.casefold() in names:
                yield Conflict(code=code, control=member.control, detail=names[tag.casefold()])


def _hidden_copies(standing: Standing) -> dict[bytes, str]:
    hiding, found = standing.hiding, dict[bytes, str]()
    for member in standing.members:
        exhibit = standing.exhibits.get(member.exhibit)
        if exhibit and (own := native_sha256(exhibit)) and member.exhibit in hiding:
            found.setdefault(own, member.control)
    return found


def _problems(exhibit: Exhibit) -> str:
    return "; ".join(f"{problem.code}: {problem.detail}" for problem in exhibit.problems)[:200]


def blocking(found: Iterable[Conflict], accepted: Iterable[str]) -> list[Conflict]:
    """Those that nobody has taken upon themselves, by code or by control number."""
    taken = set(accepted)
    return [each for each in found if each.rule.blocks and not {each.code, each.control} & taken]
