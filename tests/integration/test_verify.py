"""`redwell verify` is silent about a case that is in order, and finds every stored byte that is not."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.cases import FILES, Driver, Item, Lost, Skipped, by_hand, flip, imported, opened

from redwell.core.case.findings import CHECK_MEANINGS, Check, Finding
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Outcome
from redwell.core.work.records import Selection
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.upkeep.verify import Account, imbalances, verify

DOCS = Path(__file__).parents[2] / "docs" / "verify.md"


@pytest.fixture
def case(home: Path) -> Iterator[Case]:
    with opened(home) as case:
        yield case


def findings(home: Path) -> list[Finding]:
    with opened(home) as case:
        return list(verify(case))


def checks(found: list[Finding]) -> set[str]:
    return {finding.check for finding in found}


def test_a_case_in_order_has_no_findings_and_is_counted(case: Case) -> None:
    account = Account()
    assert list(verify(case, account)) == []
    assert (account.inputs, account.exhibits, account.containers) == (9, 16, 5)
    with by_hand(case) as sql:
        assert (account.blobs, account.bytes) == sql.execute("SELECT count(*), sum(length) FROM blob").fetchone()
    assert str(account).startswith("verified 9 inputs, 16 exhibits, 5 containers,")


def test_a_case_folder_copied_to_another_home_still_verifies(prepared: Path, tmp_path: Path) -> None:
    [folder] = (prepared / "cases").iterdir()
    shutil.copytree(folder, tmp_path / "cases" / "7")
    assert findings(tmp_path) == []


def test_at_every_step_of_an_import_the_only_finding_is_that_it_is_unfinished(tmp_path: Path) -> None:
    found: list[set[str]] = []
    with opened(tmp_path, create=True) as case:
        imported(case, FILES, step=lambda: found.append(checks(list(verify(case)))))
        assert list(verify(case)) == []
    assert len(found) > 25
    assert all(each == {Check.UNFINISHED} for each in found)


def test_an_unfinished_batch_is_named_with_the_command_that_goes_on(case: Case) -> None:
    batch = begin(case, ["/evidence/more"], "files", None, NewJob())
    [finding] = verify(case)
    assert (finding.check, finding.subject) == (Check.UNFINISHED, f"batch {batch}")
    assert f"redwell resume --case 'Smith v Jones' {batch}" in finding.detail


def test_a_retry_that_finds_more_verifies(tmp_path: Path) -> None:
    locked = Item("locked.zip", b"PK locked", outcome=Outcome.PASSWORD_PROTECTED, members=(Lost("secret.txt"),))
    secret = Item("secret.txt", b"the secret", text="the secret")
    with opened(tmp_path, create=True) as case:
        batch = imported(case, [locked])
        assert list(verify(case)) == []
        assert case.store.reopen(Selection(outcome=Outcome.PASSWORD_PROTECTED))
        assert checks(list(verify(case))) == {Check.UNFINISHED}
        driver = Driver(case)
        driver.stored(Item("locked.zip", b"PK locked", members=(secret, Skipped("folder/"))))
        driver.work(batch)
        assert list(verify(case)) == []


def test_the_balance_of_a_batch_does_not_depend_on_the_others(case: Case) -> None:
    assert list(imbalances(case.rows, 1)) == []
    with by_hand(case) as sql:
        sql.execute("DELETE FROM ingestion WHERE batch = 2 AND name = 'letter.txt'")
    assert list(imbalances(case.rows, 1)) == []
    assert checks(list(imbalances(case.rows, 2))) == {Check.CHILDREN}


def test_only_the_batch_that_was_first_counts_as_having_processed_a_content(case: Case) -> None:
    with by_hand(case) as sql:
        assert case.rows.derived(1) == sql.execute("SELECT count(*) FROM derivation").fetchone()[0]
    assert case.rows.derived(2) == 0


def test_an_exhibit_taken_off_the_queue_of_the_index_is_found(case: Case) -> None:
    Driver(case).walk(begin(case, ["/evidence/more"], "files", None, NewJob()), [Lost("another link")])
    assert checks(list(verify(case))) == {Check.UNFINISHED}
    with by_hand(case) as sql:
        sql.execute("DELETE FROM load_pending")
    assert (Check.PENDING, "another link") in {(found.check, found.subject) for found in verify(case)}


def test_a_damaged_database_file_is_a_finding_and_no_crash(home: Path) -> None:
    [path] = home.glob("cases/*/case.sqlite")
    with closing(sqlite3.connect(path)) as sql:
        [size] = sql.execute("PRAGMA page_size").fetchone()
        [page] = sql.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ingestion_document'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    assert Check.DATABASE in checks(findings(home))


def _blobs(case: Case) -> list[tuple[Path, int, int]]:
    """(file, first byte, length) of every blob that has bytes."""
    return [(*case.blobs.place(sha256, at), at.length) for sha256, at in case.rows.blobs() if at.length]


def test_one_flipped_byte_of_a_stored_blob_is_found_and_an_exhibit_named(case: Case) -> None:
    blobs = _blobs(case)
    assert {path.suffix for path, _, _ in blobs} == {".pack", ""}
    for path, first, length in blobs:
        for offset in {first, first + length // 2, first + length - 1}:
            flip(path, offset)
            [finding] = verify(case)
            assert finding.check == Check.BYTES
            assert finding.subject.startswith("RW000000")
            flip(path, offset)
    assert list(verify(case)) == []


def test_one_flipped_byte_between_the_blobs_of_a_pack_is_found(home: Path) -> None:
    with opened(home) as case:
        packed = [(path, first) for path, first, _ in _blobs(case) if path.suffix == ".pack"]
        for path, first in packed:
            for offset in (first - 1, first - 40):  # of the length, of the hash
                flip(path, offset)
                assert checks(list(verify(case))) == {Check.BYTES}
                flip(path, offset)
    flip(packed[0][0], 0)
    assert checks(findings(home)) == {Check.BYTES}


def _remove(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _lead_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("harm", [_remove, _cut, _lead_away])
@pytest.mark.parametrize("kind", [".pack", ""])
def test_a_missing_cut_or_replaced_file_is_found_and_an_exhibit_named(home: Path, kind: str, harm: object) -> None:
    assert callable(harm)
    with opened(home) as case:
        path = sorted(path for path, _, _ in _blobs(case) if path.suffix == kind)[0]
    harm(path)
    found = findings(home)
    assert checks(found) == {Check.BYTES}
    assert all(finding.subject.startswith("RW000000") for finding in found)


def test_every_check_is_documented() -> None:
    page = DOCS.read_text()
    for check in Check:
        assert f"| `{check}` | {CHECK_MEANINGS[check]} |" in page
