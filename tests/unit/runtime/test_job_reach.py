"""What the files and handlers of a job are to a machine, the one that keeps the case or another (job_reach)."""

from dataclasses import replace
from pathlib import Path

import pytest

from redwell.core.jobs.job import Job, JobKind, JobState
from redwell.runtime.bootstrap.configuration.job_settings import equipment_in, on_terms, settings_in, terms_of
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.job_reach import Reach

OURS, THEIRS = "extract/aa libarchive13", "extract/aa"
SHARED = Settings(shared_sources="yes")
JOB = Job(
    id=1,
    batch=1,
    kind=JobKind.IMPORT,
    state=JobState.QUEUED,
    priority=50,
    workers=0,
    host=machine_name(),
    passwords="",
    terms=terms_of(Settings(), OURS),
    created_ms=0,
    started_ms=None,
    served_ms=0,
    finished_ms=None,
)


@pytest.fixture
def locked(tmp_path: Path) -> Job:
    (tmp_path / "passwords").write_text("hush\n")
    return replace(JOB, passwords=str(tmp_path / "passwords"))


@pytest.mark.parametrize(
    ("settings", "keeper", "host", "sees"),
    [
        (Settings(), "", machine_name(), True),
        (Settings(), "", "", True),
        (Settings(), "", "another", False),
        (Settings(), "another", machine_name(), False),  # two machines may have one name
        (SHARED, "another", "another", True),
    ],
)
def test_paths_are_those_of_the_machine_where_a_job_was_begun(
    settings: Settings, keeper: str, host: str, sees: bool
) -> None:
    assert Reach(settings, keeper, lambda: OURS).sees(replace(JOB, host=host)) is sees


def test_passwords_are_read_where_they_lie(locked: Job) -> None:
    reach = Reach(Settings(), "", lambda: OURS)
    assert (reach.words(locked), reach.lacks(locked)) == (("hush",), "")


def test_a_file_that_happens_to_have_the_same_path_elsewhere_is_not_the_passwords(locked: Job) -> None:
    reach = Reach(Settings(), "another", lambda: OURS)
    assert reach.words(locked) is None
    assert locked.passwords in reach.lacks(locked)
    assert Reach(SHARED, "another", lambda: OURS).words(locked) == ("hush",)


def test_a_shared_file_that_is_not_there_is_lacking(locked: Job) -> None:
    Path(locked.passwords).unlink()
    assert Reach(SHARED, "another", lambda: OURS).lacks(locked)


def test_another_machine_needs_the_same_handlers_and_libraries() -> None:
    assert Reach(Settings(), "another", lambda: OURS).lacks(JOB) == ""
    assert "libarchive13" in Reach(Settings(), "another", lambda: THEIRS).lacks(JOB)


def test_where_a_case_is_kept_a_job_goes_on_after_an_upgrade() -> None:
    assert Reach(Settings(), "", lambda: THEIRS).lacks(JOB) == ""


def test_terms_tell_settings_and_equipment_apart() -> None:
    given = Settings(max_depth=3, spool_mb=77, slots=7)
    terms = terms_of(given, OURS)
    assert settings_in(terms) == settings_in(terms_of(given, THEIRS)) != settings_in(terms_of(Settings(), OURS))
    assert equipment_in(terms) == OURS
    worked = on_terms(Settings(slots=2), terms)
    assert (worked.max_depth, worked.spool_mb, worked.slots) == (3, 77, 2)
    assert (settings_in(""), equipment_in("")) == ("", "")
    assert on_terms(given, "") == on_terms(given, settings_in(terms)) == given
