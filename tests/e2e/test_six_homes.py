"""One import on six homes, from a laptop's files to everything elsewhere: the case does not tell which it was."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.support.case_homes import STEPS, home_up_to
from tests.support.evidence import mail, zipped
from tests.support.product import ask, documents, redwell

pytestmark = pytest.mark.xdist_group("databases")
CASE = "Smith v Jones"
# one child at a time: the members of two archives are numbered as these are opened
ONE_BY_ONE = ("--set", "slots=1", "--set", "lease_s=5")
QUERIES = (
    "coating",
    "coat*",
    "coating w/3 failed",
    "subject:report",
    "member AND NOT 3",
    "kind:mail",
    "path:readings*",
)
OF_A_RUN = ("id", "uid", "document", "parent", "root", "family", "duplicate_of", "thread")


@dataclass(frozen=True)
class Outcome:
    """What a reader of the case is told."""

    rows: list[dict[str, Any]]
    counts: dict[str, Any]
    hits: dict[str, list[tuple[str, str]]]


@pytest.fixture(scope="module")
def small_evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "in"
    (folder / "mails").mkdir(parents=True)
    pictures = zipped({f"{n}.txt": f"member {n}: the coating failed".encode() for n in range(5)})
    for number in range(6):
        attached = {"report.txt": b"the coating had failed", "readings.zip": pictures} if number % 2 else {}
        (folder / "mails" / f"{number}.eml").write_bytes(mail(f"report {number}", f"about coating {number}", attached))
    (folder / "readings.zip").write_bytes(pictures)
    (folder / "copy.txt").write_bytes(b"the coating had failed")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "odd.bin").write_bytes(bytes(range(256)))
    return folder


@pytest.fixture(scope="module")
def outcome_on(small_evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    return cache(lambda step: _outcome(step, small_evidence, tmp_path_factory.mktemp(step)))


def _outcome(step: str, evidence: Path, home: Path) -> Outcome:
    env = home_up_to(step)
    (_by_a_service if "REDWELL_REGISTRY" in env else _plainly)(home, evidence, env)
    rows = documents(home, CASE, **env)
    for row in rows:
        for key in OF_A_RUN:
            row[key] = row[key] is not None  # as numbers and paths tell them, which are compared
    return Outcome(rows, _counts(home, env), {query: _hits(home, query, env) for query in QUERIES})


def _plainly(home: Path, evidence: Path, env: dict[str, str]) -> None:
    run = redwell(home, "import", str(evidence), "--case", CASE, *ONE_BY_ONE, **env)
    assert run.returncode == 0, run.stderr


def _by_a_service(home: Path, evidence: Path, env: dict[str, str]) -> None:
    """The registry is asked by workers of services alone."""
    run = redwell(home, "import", str(evidence), "--case", CASE, "--queue", *ONE_BY_ONE, **env)
    assert run.returncode == 0, run.stderr
    run = redwell(home, "worker", "--service", "alpha", "--cluster", *ONE_BY_ONE, **env)
    assert run.returncode == 0, run.stderr
    [service] = [row for row in _lines(home, "workers", env) if row.get("service") == "alpha"]
    assert service["status"] == "FREE"


def _counts(home: Path, env: dict[str, str]) -> dict[str, Any]:
    [job] = _lines(home, "jobs", env, "--all")
    assert job["state"] == "finished"
    [checked] = _lines(home, "verify", env, "--case", CASE)
    assert checked["in_order"]
    return {"documents": job["documents"], "done": job["done"], **checked}


def _lines(home: Path, command: str, env: dict[str, str], *args: str) -> list[dict[str, Any]]:
    run = ask(home, command, *args, "--json", **env)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def _hits(home: Path, query: str, env: dict[str, str]) -> list[tuple[str, str]]:
    run = ask(home, "search", "--case", CASE, query, "--json", "--sort", "control_number", **env)
    assert run.returncode == 0, run.stderr
    *hits, told = map(json.loads, run.stdout.splitlines())
    return [(hit["control_number"], hit["path"]) for hit in hits] + [("hits", str(told["search"]["total"]))]


@pytest.mark.requirement("F1", "F2", "F3")
@pytest.mark.parametrize("step", [name for name in STEPS if name != "sqlite"])
def test_the_same_import_gives_the_same_documents_counts_numbers_and_hits(
    step: str, outcome_on: Callable[[str], Outcome]
) -> None:
    embedded, here = outcome_on("sqlite"), outcome_on(step)
    assert len(embedded.rows) > 30
    assert here.rows == embedded.rows
    assert here.counts == embedded.counts
    assert here.hits == embedded.hits
    assert all(len(found) > 1 for found in here.hits.values()), "a query without a hit proves nothing"
