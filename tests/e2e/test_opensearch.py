"""A case that is searched on a real OpenSearch node, through the command line."""

import json
from pathlib import Path

import pytest
from tests.support import opensearch
from tests.support.product import ask, redwell


@pytest.mark.requirement("D8", "F2")
def test_a_case_is_indexed_searched_verified_and_made_anew_on_opensearch(tmp_path: Path) -> None:
    evidence, home = tmp_path / "evidence", tmp_path / "home"
    evidence.mkdir()
    for number in range(5):
        (evidence / f"{number}.txt").write_text(f"The breach of contract number {number} was serious")
    env = {"REDWELL_SEARCH": "opensearch", "REDWELL_OPENSEARCH": opensearch.url(), "REDWELL_NAME_PREFIX": "e2e"}
    run = redwell(home, "import", str(evidence), "--case", "c", **env)
    assert run.returncode == 0, run.stderr
    assert not list(home.glob("cases/*/index/*"))
    found = ask(home, "search", "--case", "c", "breach w/3 contract NOT 3", "--json", "--sort", "control_number", **env)
    *hits, told = map(json.loads, found.stdout.splitlines())
    assert [hit["path"] for hit in hits] == ["0.txt", "1.txt", "2.txt", "4.txt"]
    assert told["search"]["understood"] == "((breach at most 3 words near contract) AND NOT 3)"
    assert ask(home, "verify", "--case", "c", **env).returncode == 0
    assert redwell(home, "reindex", "--case", "c", **env).returncode == 0
    assert ask(home, "search", "--case", "c", "breach", **env).stderr.startswith("5 hits")
    elsewhere = ask(home, "search", "--case", "c", "breach")
    assert elsewhere.returncode == 2
    assert "the case has no index on tantivy; run 'redwell reindex'" in elsewhere.stderr
