"""A file of settings by environment and region: the more special wins, and nothing comes from elsewhere (D12)."""

import pytest

from redwell.core.configuration import Chosen, Given, layered, pairs
from redwell.core.errors import UserError

pytestmark = pytest.mark.requirement("D12")
FILE = {
    "slots": 4,
    "ocr_second": True,
    "environments": {
        "dev": {"chunk": 7, "regions": {"us-east-1": {"chunk": 8}}},
        "production": {"chunk": 9, "regions": {"us-east-1": {"chunk": 10, "name_prefix": "c2"}, "us-west-1": {}}},
    },
}


def values(*chosen: str) -> dict[str, str]:
    return {key: each.value for key, each in layered(FILE, Chosen(*chosen), "f").items()}


def test_the_more_special_part_wins_and_says_where_it_stands() -> None:
    assert values("production", "us-west-1") == {"slots": "4", "ocr_second": "yes", "chunk": "9"}
    found = layered(FILE, Chosen("production", "us-east-1"), "f")
    assert (found["chunk"], found["slots"]) == (Given("10", "f [production, us-east-1]"), Given("4", "f"))


def test_dev_ignores_the_region() -> None:
    assert values("dev", "nowhere")["chunk"] == "7"


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ((), "no environment is chosen; set REDWELL_ENVIRONMENT to one of: dev, production"),
        (("qa", "us-east-1"), "there is no environment 'qa'"),
        (("production",), "no region is chosen"),
        (("production", "mars"), "there is no region 'mars'; set REDWELL_REGION to one of: us-east-1, us-west-1"),
    ],
)
def test_a_pair_that_is_not_there_is_refused_and_never_taken_for_another(chosen: tuple[str, ...], told: str) -> None:
    with pytest.raises(UserError, match=told):
        values(*chosen)


def test_without_environments_the_top_is_all_there_is() -> None:
    assert layered({"slots": 2}, Chosen(), "f") == {"slots": Given("2", "f")}
    with pytest.raises(UserError, match="there is no environment 'production'"):
        layered({"slots": 2}, Chosen("production"), "f")


def test_every_pair_that_can_be_chosen_is_known() -> None:
    assert list(pairs(FILE)) == [Chosen("dev"), Chosen("production", "us-east-1"), Chosen("production", "us-west-1")]
    assert list(pairs({"slots": 1})) == [Chosen()]


@pytest.mark.parametrize("document", [{"slots": [1]}, {"slots": 1.5}, {"environments": 3}, {"slots": {"a": 1}}])
def test_what_is_no_value_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(UserError):
        layered(document, Chosen(), "f")
