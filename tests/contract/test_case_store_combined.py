"""What every case store promises of documents whose pages are recognised in ranges: the parts are joined in the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.test_case_store_renditions import import_one, load, sound, take
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, stored

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.settled import Limits
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import TaskType
from redwell.core.work.page_ranges import range_in
from redwell.core.work.recipe import Recipe, Rendition
from redwell.core.work.records import Artifact, Claim, Result
from redwell.core.work.renderers import RENDERERS

ROWS = tuple(row for row in RENDERERS if row.name in ("ocr-pages", "combined-pdf"))
RECIPE = Recipe(
    settings="s", large_bytes=LARGE_BYTES, renditions=tuple(Rendition(renderer=row, settings="") for row in ROWS)
)
SEARCHABLE = ArtifactKind.SEARCHABLE_PDF


@pytest.fixture(params=DATABASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    with DATABASES[request.param](tmp_path) as connect:
        store = OpenStore(connect.work(), "w1", RECIPE, limits=Limits(MAX_DEPTH, 1_000), prefix="RW")
        store.rows = SqlCaseReader(connect.look())
        create_case(store.database, {"name": "combined"})
        yield store
        store.rows.close()
        store.close()


def read_one(store: OpenStore, pages: int) -> int:
    batch = import_one(store)
    [claim] = take(store, batch)
    store.record([], [_result(claim, pages=pages)])
    return batch


def _result(claim: Claim, *made: Artifact, pages: int | None = None) -> Result:
    about = {"derivation": claim.id, "attempt": claim.attempt, "handler": "h/1", "pages": pages}
    return Result(**about, outcome=Outcome.SUCCESS, media_type="application/pdf", artifacts=made)


def recognise(store: OpenStore, claim: Claim, last: int) -> None:
    first = range_in(claim.context).first
    part = Artifact(kind=SEARCHABLE, stored=stored(f"pages from {first}"), number=first, last=last, amount=last - first)
    store.record([], [_result(claim, part)])


@pytest.mark.requirement("A6")
def test_parts_are_joined_when_the_last_of_them_is_there(case: OpenStore) -> None:
    batch = read_one(case, pages=250)
    first, second, third = take(case, batch)
    recognise(case, third, 250)
    recognise(case, first, 100)
    assert take(case, batch) == []
    recognise(case, second, 200)
    [joining] = take(case, batch)
    assert (joining.task, joining.engine) == (TaskType.COMBINE_PAGE_IMAGES, "combined-pdf")
    wanted = [stored(f"pages from {number}").digests.sha256 for number in (1, 101, 201)]
    assert [part.sha256 for part in joining.volumes] == wanted
    case.record([], [_result(joining, Artifact(kind=SEARCHABLE, stored=stored("all"), amount=250))])
    [exhibit] = case.rows.exhibits()
    made = {each.number: each.sha256 for each in case.rows.artifacts(exhibit.id) if each.kind == SEARCHABLE}
    assert made[0] == stored("all").digests.sha256
    assert take(case, batch) == []
    load(case)
    assert case.finish_batch(batch) and sound(case)


def test_a_document_in_one_part_has_nothing_to_be_joined(case: OpenStore) -> None:
    batch = read_one(case, pages=3)
    [claim] = take(case, batch)
    recognise(case, claim, 3)
    assert take(case, batch) == []
