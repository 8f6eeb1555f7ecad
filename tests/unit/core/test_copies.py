"""Which of several copies is kept in front is a rule, not a race."""

from itertools import permutations

import pytest

from redwell.core.case.copies import Candidate, Scope, content_parts, in_front, in_scope
from redwell.core.case.families import family_of

pytestmark = pytest.mark.requirement("D6")
RANKED = [  # as they are preferred
    Candidate(1, 5, "a/x", 0, 90),
    Candidate(2, 3, "a/x", 0, 20),
    Candidate(2, 4, "a", 9, 10),
    Candidate(2, 4, "b", 1, 9),
    Candidate(2, 4, "b", 1, 11),
]


def test_custodian_then_source_then_path_then_place_decide_whoever_came_first() -> None:
    for order in permutations(RANKED):
        standing = None
        for newcomer in order:
            standing = in_front(standing, [newcomer])
        assert standing == RANKED[0]


def test_what_was_decided_when_a_batch_ended_stays() -> None:
    settled = Candidate(9, 9, "z", 9, 9, is_settled=True)
    assert in_front(settled, RANKED) is settled
    assert in_front(None, [settled, *RANKED]) == RANKED[0], "of those that come now the rule decides alone"


def test_keys_of_custodians_are_apart_and_none_is_no_key() -> None:
    parts = content_parts(b"1" * 32)
    assert in_scope(parts, Scope.GLOBAL, "Ann") == in_scope(parts, Scope.GLOBAL, None)
    assert in_scope(parts, Scope.CUSTODIAN, "Ann") != in_scope(parts, Scope.CUSTODIAN, "Bob")
    assert in_scope(parts, Scope.NONE, "Ann") is None


def test_a_store_heads_no_family_unless_it_is_attached() -> None:
    mail_in_store = family_of(2, "member", parent=1, parents_family=1)
    attachment = family_of(3, "attachment", parent=2, parents_family=mail_in_store)
    in_attached_archive = family_of(4, "member", parent=3, parents_family=attachment)
    assert (mail_in_store, attachment, in_attached_archive) == (2, 2, 2)
