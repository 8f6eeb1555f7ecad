"""Settings: one default each, the environment over it, the command line over both; what is wrong is named."""

from pathlib import Path

import pytest

from redwell.core.errors import UserError
from redwell.runtime.bootstrap.settings import MASK, Settings, load_settings, misspelt_variables

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
        ("jpeg_quality=101", "at most 100"),
        ("tiff_compression=jpeg", "is one of group4, lzw, deflate, none"),
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


def test_a_variable_that_was_probably_meant_to_be_a_setting_is_named() -> None:
    environ = {"REDWELL_SLOST": "4", "REDWELL_HOME": "/x", "REDWELL_TRIP": "a.b", "REDWELL_SLOTS": "2"}
    assert misspelt_variables(environ) == ["REDWELL_SLOST is no setting (did you mean slots?)"]


@pytest.mark.requirement("D12")
def test_a_secret_is_looked_up_by_whoever_needs_it_and_not_before(tmp_path: Path) -> None:
    """A machine that may not read one still does everything that takes none."""
    kept = tmp_path / "secret"
    settings = load_settings([f"webhook_secret=file:{kept}", "slots=3"], environ={})
    assert settings.shown()["webhook_secret"] == "***"
    changed = settings.with_overrides({"slots": "4"})
    with pytest.raises(UserError, match="can't be read"):
        _ = changed.webhook_secret
    kept.write_text("hush\n")
    assert (changed.slots, changed.webhook_secret) == (4, "hush")
    kept.unlink()
    assert settings.webhook_secret == "hush"  # once in a process


@pytest.mark.requirement("D12")
@pytest.mark.parametrize("assignment", ["loader_receives=0", "large_weight=9", "retry_longest_s=901", "bus_events=0"])
def test_a_figure_that_cannot_be_is_refused(assignment: str) -> None:
    with pytest.raises(UserError, match=r"at (least|most)"):
        load_settings([assignment], environ={})
