"""Makes a production: families, order, numbers, conflicts. Called by the command line and the API."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.production.conflicts import Conflict, Standing, conflicts
from redwell.core.production.selection import Chosen, in_order, left_out, members_of, wants_pages
from redwell.core.production.values import Member, Production, Terms, checked_production_name, checked_terms
from redwell.ports.case_reader import CaseReader
from redwell.ports.materials import Materials
from redwell.ports.productions import NewProduction, ProductionStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.producing.chosen import exhibits_of, hits

_WHOLE_FAMILY = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    name: str
    query: str
    who: str
    terms: Terms


def choose(case: Reader, query: str, families: str) -> Chosen:
    """The documents that a query means, whole families unless only hits are wanted."""
    found = list(hits(case, query))
    if not found:
        raise UserError(f"no document is found by {query!r}: a production has at least one")
    if families == "hits":
        return in_order(exhibits_of(case.rows, [exhibit for exhibit, _ in found]))
    heads = dict.fromkeys(family for _, family in found)
    return in_order(each for head in heads for each in case.rows.family(head, _WHOLE_FAMILY))


def checked_wish(wanted: Wanted, review: ReviewStore) -> Wanted:
    """UserError where a name, a number or a tag can't be."""
    checked_production_name(wanted.name)
    checked_terms(wanted.terms)
    known = {tag.name.casefold() for tag in review.tags()}
    for tag in (*wanted.terms.withhold, *wanted.terms.forbid):
        if tag.casefold() not in known:
            raise UserError(f"the case has no tag {tag!r}")
    return wanted


def without_pages(
    chosen: Chosen, terms: Terms, tags: Mapping[int, Sequence[str]], materials: Materials, store: ProductionStore
) -> list[Exhibit]:
    """Those whose pages would go out, and of which there is no PDF yet."""
    held, redacted = withheld(chosen, terms, tags), store.redactions([each.id for each in chosen.exhibits])
    drawn = [each for each in chosen.exhibits if wants_pages(each, terms, held, redacted)]
    return [each for each in drawn if not materials.pages(each)]


def withheld(chosen: Chosen, terms: Terms, tags: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """The ground of each: the tag by which it is."""
    wanted = {name.casefold() for name in terms.withhold}
    return {
        each.id: "; ".join(name for name in tags.get(each.id, ()) if name.casefold() in wanted)
        for each in chosen.exhibits
        if any(name.casefold() in wanted for name in tags.get(each.id, ()))
    }


def freeze(
    wanted: Wanted, chosen: Chosen, tags: Mapping[int, Sequence[str]], materials: Materials, store: ProductionStore
) -> Production:
    if not chosen.exhibits:
        raise UserError("of what was found nothing is a document that could go out")
    pages = {each.id: count for each in chosen.exhibits if (count := materials.pages(each))}
    held, redacted = withheld(chosen, wanted.terms, tags), store.redactions([each.id for each in chosen.exhibits])
    members = members_of(chosen.exhibits, wanted.terms, held, pages, redacted)
    last = members[-1].first + members[-1].pages
    if len(str(last)) > wanted.terms.padding:
        raise UserError(f"the last number is {last:,}, which has more than {wanted.terms.padding} digits: --padding")
    new = NewProduction(wanted.name, wanted.query, wanted.who, wanted.terms, chosen.left_out)
    return store.create(new, members)


def tags_of(review: ReviewStore, exhibits: Sequence[int]) -> dict[int, list[str]]:
    names = {tag.id: tag.name for tag in review.tags()}
    found: dict[int, list[str]] = {}
    for each in review.taggings(exhibits):
        found.setdefault(each.exhibit, []).append(names.get(each.tag, ""))
    return found


def standing_of(
    production: Production, rows: CaseReader, store: ProductionStore, review: ReviewStore
) -> tuple[list[Member], list[Conflict]]:
    """The members, and what stands against letting them go as things are now."""
    members = list(store.members(production.id))
    keys = [member.exhibit for member in members]
    fixed = store.fix(production.id, "") if production.is_fixed else store.redactions(keys)
    standing = Standing(
        terms=production.terms,
        members=members,
        exhibits={each.id: each for each in exhibits_of(rows, keys)},
        tags=tags_of(review, keys),
        redactions=fixed,
        missing=_missing(rows.family, members) if production.terms.families == "hits" else {},
    )
    return members, list(conflicts(standing))


def _missing(family: Callable[[int, int], list[Exhibit]], members: Sequence[Member]) -> dict[int, int]:
    there = {member.exhibit for member in members}
    counted = Counter[int]()
    for head in {member.family for member in members}:
        documents = [each for each in family(head, _WHOLE_FAMILY) if not left_out(each)]
        counted[head] = sum(each.id not in there for each in documents)
    return dict(counted)


def closed_by_others(
    production: Production, members: Sequence[Member], rows: CaseReader, stores: tuple[ProductionStore, ReviewStore]
) -> set[int]:
    """Members whose own bytes hold a document that is hidden and not in the set: an attachment of a mail that is."""
    store, review = stores
    there, found = {member.exhibit for member in members}, set[int]()
    for head in {member.family for member in members} if production.terms.families == "hits" else ():
        whole = {each.id: each for each in rows.family(head, _WHOLE_FAMILY)}
        others = [key for key in whole if key not in there]
        held = withheld(Chosen(exhibits=[whole[key] for key in others]), production.terms, tags_of(review, others))
        hidden = {*held, *(key for key, boxes in store.redactions(others).items() if boxes)} if others else set()
        for key in hidden:
            above = whole[key].parent
            while above is not None:
                found.add(above)
                above = whole[above].parent if above in whole else None
    return found & there
