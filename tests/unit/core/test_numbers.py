"""Control numbers and places in a family: the rules, and the SQL of verify that is made of the same constants."""

import sqlite3
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.adapters.sql_audit import rule_sql
from redwell.core.case.families import MEMBER_OF, Position, member_path, member_position, root_of
from redwell.core.case.numbers import DIGITS, MEMBER_DIGITS, control_number, member_control_number

thorough = settings(max_examples=60, deadline=None, derandomize=True)
PREFIXES = st.text("ABCXYZ-_019", max_size=6)
NUMBERS = st.one_of(st.integers(1, 120), st.integers(10**DIGITS - 3, 10**DIGITS + 3), st.integers(1, 2**50))
ORDINALS = st.one_of(st.integers(0, 120), st.integers(10**MEMBER_DIGITS - 3, 10**MEMBER_DIGITS + 3))
NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)


def said(expression: str, **values: str | int) -> object:
    with closing(sqlite3.connect(":memory:")) as sql:
        return sql.execute(f"SELECT {expression}", values).fetchone()[0]


def test_numbers_have_eight_digits_and_members_four_behind_a_dot() -> None:
    assert control_number("RW", 12) == "RW00000012"
    assert member_control_number("RW00000012", 2) == "RW00000012.0003"
    assert member_control_number("RW00000012.0003", 9_999) == "RW00000012.0003.10000"


@given(PREFIXES, NUMBERS, NUMBERS)
@thorough
def test_two_files_never_share_a_control_number(prefix: str, one: int, other: int) -> None:
    assert (control_number(prefix, one) == control_number(prefix, other)) == (one == other)


@given(st.integers(1, 10**DIGITS - 1), st.integers(1, 10**DIGITS - 1))
@thorough
def test_control_numbers_are_ordered_as_the_files_came(one: int, other: int) -> None:
    assert (control_number("RW", one) < control_number("RW", other)) == (one < other)


@given(st.lists(ORDINALS, max_size=4), st.lists(ORDINALS, max_size=4))
@thorough
def test_a_members_number_tells_its_place_and_nobody_elses(one: list[int], other: list[int]) -> None:
    def numbered(places: list[int]) -> str:
        control = control_number("RW", 7)
        for place in places:
            control = member_control_number(control, place)
        return control

    assert (numbered(one) == numbered(other)) == (one == other)


@given(PREFIXES, NUMBERS)
@thorough
def test_verify_finds_the_digits_of_a_control_number(prefix: str, number: int) -> None:
    has_digits = rule_sql.has_digits_of(":control", ":number")
    assert said(has_digits, control=control_number(prefix, number), number=number)
    assert not said(has_digits, control=control_number(prefix + "X", number)[:-1], number=number)


@given(ORDINALS)
@thorough
def test_verify_makes_the_control_number_of_a_member_as_the_rule_does(ordinal: int) -> None:
    made = said(rule_sql.member_control_number(":parent", ":ordinal"), parent="RW00000001", ordinal=ordinal)
    assert made == member_control_number("RW00000001", ordinal)


@given(NAMES, NAMES)
@thorough
def test_verify_makes_the_path_of_a_member_as_the_rule_does(container: str, name: str) -> None:
    made = said(rule_sql.member_path(":container", ":name"), container=container, name=name)
    assert made == member_path(container, name)


@given(st.integers(1, 2**40), st.lists(st.tuples(st.integers(1, 2**40), NAMES), max_size=6))
@thorough
def test_a_member_of_any_depth_is_of_the_family_of_its_file(file: int, members: list[tuple[int, str]]) -> None:
    position, key, names = Position("a/b.zip"), file, ["a/b.zip"]
    for member, name in members:
        position, key = member_position(key, position, name), member
        names.append(name)
    assert position.depth == len(members)
    assert position.path == MEMBER_OF.join(names)
    assert root_of(key, position.root) == file
