"""docs/requirements.md is true: every requirement is in it, and what works is proved by a test."""

import pytest
from tools.requirements import IDS, STATES, proofs, requirements


def test_every_requirement_has_a_row_in_order() -> None:
    assert list(requirements()) == IDS


def test_tests_name_requirements_that_there_are() -> None:
    assert set(proofs()) - set(IDS) == set()


@pytest.mark.parametrize("name", IDS)
def test_a_row_is_honest(name: str) -> None:
    """What works has a test of its behaviour and lacks nothing; anything else says what it lacks."""
    told = requirements()[name]
    assert told.state in STATES
    assert bool(told.missing) == (told.state != "works")
    assert told.proofs or told.state == "no", f"{name}: no test names it with pytest.mark.requirement"
    assert not (told.proofs and told.state == "no"), f"{name}: tests prove it, and the row says that nothing is there"
