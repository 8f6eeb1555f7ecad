"""Settings: one default each, the environment over it, the command line over both; what is wrong is named."""

import pytest

from redwell.core.errors import UserError
from redwell.runtime.bootstrap.settings import MASK, Settings, load_settings

pytestmark = pytest.mark.requirement("D12")


def test_the_command_line_wins_over_the_environment_and_that_over_the_default() -> None:
    environ = {"REDWELL_CHUNK": "7", "REDWELL_LARGE_MB": "8", "REDWELL_NOT_A_SETTING": "x"}
    found = load_settings(["large_mb = 9"], environ)
    assert (found.chunk, found.large_mb, found.lease_s) == (7, 9, Settings().lease_s)


@pytest.mark.parametrize(
    ("assignment", "told"),
    [
        ("chunck=1", "unknown setting 'chunck'"),
        ("chunk", "KEY=VALUE"),
        ("chunk=many", "needs a whole number"),
        ("chunk=-1", "can't be negative"),
        ("log_format=xml", "is one of text, json"),
    ],
)
def test_a_wrong_one_is_named_with_what_is_right(assignment: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        load_settings([assignment], {})


def test_secrets_are_never_shown() -> None:
    found = load_settings(["webhook_secret=s3cret"], {"REDWELL_DATABASE": "postgresql://u:pw@host/db"})
    assert (found.shown()["webhook_secret"], found.shown()["database"]) == (MASK, MASK)
    assert found.shown()["webhook"] == ""
