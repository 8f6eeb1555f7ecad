"""`redwell verify` finds every entry and every file of the search index that was changed by hand."""

import shutil
from pathlib import Path

import pytest
from tantivy import Index
from tests.support.cases import flip, opened

from redwell.adapters.tantivy.documents import document, register_tokenizers
from redwell.core.case.findings import Check, Finding
from redwell.ports.search_index import Entry
from redwell.runtime.upkeep.verify import verify


def findings(home: Path) -> list[Finding]:
    with opened(home) as case:
        return list(verify(case))


def checks(found: list[Finding]) -> set[str]:
    return {finding.check for finding in found}


@pytest.fixture
def writable_index(home: Path) -> Index:
    [folder] = home.glob("cases/*/index/*")
    index = Index.open(str(folder))
    register_tokenizers(index)
    return index


def test_an_index_entry_removed_by_hand_is_found(home: Path, writable_index: Index) -> None:
    writer = writable_index.writer(num_threads=1)
    writer.delete_documents_by_term("exhibit", 2)
    writer.commit()
    writer.wait_merging_threads()
    assert findings(home) == [Finding(Check.INDEX, "RW00000001 letter.txt", "it is not in the index")]


@pytest.mark.parametrize(
    ("exhibit", "detail"),
    [
        (2, "it is 2 times in the index"),
        (1, "the index has an entry for it, but there is no such exhibit"),
        (999, "the index has an entry for it, but there is no such exhibit"),
    ],
)
def test_an_index_entry_added_by_hand_is_found(home: Path, writable_index: Index, exhibit: int, detail: str) -> None:
    entry = document(Entry(exhibit=exhibit, digest="00" * 12, text="something else"))
    writer = writable_index.writer(num_threads=1)
    writer.add_json(entry)
    writer.commit()
    writer.wait_merging_threads()
    [finding] = findings(home)
    assert (finding.check, finding.detail) == (Check.INDEX, detail)


def test_an_index_entry_replaced_by_hand_is_found(home: Path) -> None:
    with opened(home) as case:
        case.index.replace([Entry(exhibit=2, digest="00" * 12, text="something else")])
        case.index.commit()
    found = findings(home)
    assert found == [Finding(Check.INDEX, "RW00000001 letter.txt", "its entry in the index is of something else")]


def test_one_flipped_byte_in_a_file_of_the_index_is_found(home: Path) -> None:
    [folder] = home.glob("cases/*/index/*")
    files = [path for path in folder.iterdir() if path.stat().st_size and not path.name.startswith(".")]
    assert len(files) > 5
    for path in files:
        flip(path, path.stat().st_size // 2)
        assert checks(findings(home)) == {Check.INDEX}, path.name
        flip(path, path.stat().st_size // 2)
    assert findings(home) == []


def test_a_missing_file_of_the_index_is_found(home: Path) -> None:
    [folder] = home.glob("cases/*/index/*")
    for path in [path for path in folder.iterdir() if not path.name.startswith(".")]:
        data = path.read_bytes()
        path.unlink()
        assert checks(findings(home)) == {Check.INDEX}, path.name
        path.write_bytes(data)
    assert findings(home) == []


def test_a_lost_index_is_one_finding(home: Path) -> None:
    [folder] = home.glob("cases/*/index")
    shutil.rmtree(folder)
    assert findings(home) == [Finding(Check.INDEX, "index", "it is empty; 16 exhibits belong into it")]
