"""What every case store promises to loaders in several processes: each occurrence is loaded by one of them, once."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, Content, File, Part, World
from tests.support.ledger_worker import imported
from tests.support.load_steps import load_all, run_steps
from tests.support.product import REPO

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.settled import Limits
from redwell.core.work.recipe import Recipe
from redwell.load.loading import Loading

LOADERS = 3
RECIPE = Recipe(settings="settings", large_bytes=LARGE_BYTES)
ARCHIVE = Content(tuple(Part(content=n) for n in (1, 2, 1)))
WORLD = World((ARCHIVE, Content(), Content()), (tuple(File(n % 3) for n in range(40)),) * 2)


def opened(place: dict[str, str], worker: str) -> OpenStore:
    made = PostgresDatabase(place["url"], place["schema"]) if "url" in place else SqliteDatabase(Path(place["path"]))
    return OpenStore(made, worker, RECIPE, limits=Limits(MAX_DEPTH, 1_000), prefix="RW")


def load_in_this_process(place: dict[str, str], worker: str, at_once: int) -> list[int]:
    """As a loader whose index takes everything at once; the exhibits that it was the first to load."""
    store = opened(place, worker)
    case, done = Loading(store, None, None), list[int]()  # type: ignore[arg-type]
    while chunk := store.take_to_load(at_once):
        run_steps(case, chunk)
        case.told_anew.clear()  # it waits in the queue, too
        store.loaded([each.id for each in chunk])
        done += [each.id for each in chunk if each.checkpoint == Checkpoint.STARTED]  # others are told anew
    store.database.close()
    return done


@pytest.mark.requirement("D6")
@pytest.mark.parametrize("adapter", DATABASES)
def test_loaders_in_several_processes_load_each_occurrence_once(adapter: str, tmp_path: Path) -> None:
    with DATABASES[adapter](tmp_path) as connect, closing(connect.work()) as database:
        place = {"path": str(tmp_path / "case.sqlite")}
        if isinstance(database, PostgresDatabase):
            place = dict(zip(("url", "schema"), connect.work.args, strict=True))
        create_case(database, {"name": "contract"})
        store = opened(place, "onlooker")
        store.rows = SqlCaseReader(connect.look())
        imported(store, WORLD)
        code = "import sys; from tests.contract import test_concurrent_loaders as t; t.main(sys.argv[1:])"
        loaders = [
            subprocess.Popen(
                [sys.executable, "-c", code, json.dumps(place), f"loader {n}", str(5 + n)],
                stdout=subprocess.PIPE,
                text=True,
                cwd=REPO,
            )
            for n in range(LOADERS)
        ]
        told = [json.loads(each.communicate(timeout=120)[0]) for each in loaders]
        load_all(store)  # what was told anew by one who died of it would be left
        exhibits = list(store.rows.exhibits())
        assert Counter(key for each in told for key in each) == {row.id: 1 for row in exhibits}
        assert len([row for row in exhibits if row.duplicate_of is None]) == 3, "one of each content is in front"
        files = [row.control_number for row in exhibits if row.depth == 0]
        assert files == [f"RW{number:08d}" for number in range(1, 81)]
        with store.rows.audit() as audit:
            assert [each for each in audit.imbalances() if each.check != "unfinished"] == []
        store.rows.close()
        store.database.close()


def main(args: list[str]) -> None:
    place, worker, at_once = args
    print(json.dumps(load_in_this_process(json.loads(place), worker, int(at_once))))


def test_what_changes_while_it_is_loaded_has_its_steps_again(case_store: OpenStore) -> None:
    """A rendition that ends in the middle of a load would not be shown otherwise."""
    imported(case_store, World((Content(),), ((File(0),),)))
    chunk = case_store.take_to_load(9)
    case_store.load_again(Checkpoint.PAGES)
    run_steps(Loading(case_store, None, None), chunk)  # type: ignore[arg-type]
    case_store.loaded([each.id for each in chunk])
    assert [each.checkpoint for each in case_store.take_to_load(9)] == [Checkpoint.STARTED]


def test_what_changes_while_it_is_loaded_stays_with_its_loader_until_that_one_is_done(case_store: OpenStore) -> None:
    imported(case_store, World((Content(),), ((File(0),),)))
    other = OpenStore(case_store.database, "other", RECIPE, limits=Limits(MAX_DEPTH, 1_000), prefix="RW")
    [held] = case_store.take_to_load(9)
    case_store.load_again(Checkpoint.INDEX)
    assert other.take_to_load(9) == [], "it could be told anew before it was told"
    case_store.loaded([held.id])
    assert [each.id for each in other.take_to_load(9)] == [held.id], "and as it is now"
    assert case_store.take_to_load(9) == []
