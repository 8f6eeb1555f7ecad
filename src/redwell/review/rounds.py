"""Rounds of review made of searches, and second looks made of rounds."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redwell.core.errors import UserError
from redwell.core.review.rounds import Item, NewRound, Round, sampled
from redwell.ports.case_reader import CaseReader
from redwell.ports.review import ReviewStore
from redwell.review.coding import Choice, chosen
from redwell.review.searching import Searched

_AT_ONCE = 500


def begin(new: NewRound, choice: Choice, case: Searched, review: ReviewStore) -> Round:
    """Of all that a search finds, family by family."""
    return review.rounds.make(new, list(_by_family(case.rows, chosen(choice, case, review))))


def _by_family(rows: CaseReader, keys: Sequence[int]) -> Iterator[Item]:
    families: dict[int, list[int]] = {}
    for start in range(0, len(keys), _AT_ONCE):
        chunk = keys[start : start + _AT_ONCE]
        known = rows.some(chunk)
        for key in chunk:
            families.setdefault(known[key].root if key in known else key, []).append(key)
    for family, members in families.items():
        yield from (Item(exhibit=key, family=family) for key in members)


def second_look(new: NewRound, count: int, review: ReviewStore) -> Round:
    """On documents of a round that were looked at, by chance; whoever looked first does not look again."""
    assert new.second_of is not None
    done = {each.exhibit: each for each in review.rounds.finished(review.rounds.one(new.second_of).id)}
    if not done:
        raise UserError("nothing of this round was looked at yet")
    seed = new.seed or secrets.randbelow(2**31) + 1
    return review.rounds.make(replace(new, seed=seed), [done[key] for key in sampled(list(done), count, seed)])
