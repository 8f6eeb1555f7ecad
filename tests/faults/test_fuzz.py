"""Damaged files among good ones: a short run of what `make fuzz` does for minutes, and whether its checks can fail."""

import hashlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.fuzz import Fuzz, files_below, made_seeds, seeds_below
from benchmarks.fuzz_checks import controls_of, harmed, label_of, lost, unforeseen
from benchmarks.fuzz_page import write_page
from benchmarks.mutations import PLAIN, Bench, Mutant, Mutation, Mutator, Seed, change_member
from examples.evidence.story import write_story
from tests.support.evidence import zipped

from redwell.handlers.host.registry import load
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

EACH = 8
MUTANT = Mutant("pdf-3", "pdf", ("cut_off",), ".pdf", b"%PDF")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("story")
    write_story(folder)
    return folder


@pytest.fixture(scope="module")
def seeds(story: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Seed]]:
    return seeds_below([story, *made_seeds(tmp_path_factory.mktemp("seeds") / "made")])


@pytest.fixture(scope="module")
def mutator(seeds: list[tuple[str, Seed]]) -> Mutator:
    return Mutator(seeds, seed=1)


FROM_WITHIN = {"record", "volume", "volume-rows"}  # of documents that only an import of a volume makes


def test_every_handler_is_a_family(mutator: Mutator) -> None:
    assert {handler.spec.name for handler in load(BUILT_IN)} - set(mutator.families) == FROM_WITHIN


def row(path: str, **changes: Any) -> dict[str, Any]:
    values = {
        "path": path,
        "root": path.partition("//")[0],
        "depth": path.count("//"),
        "outcome": "SUCCESS",
        "detail": "",
        "problems": [],
        "handler": "pdf",
        "media_type": "application/pdf",
        "sha256": hashlib.sha256(MUTANT.data).hexdigest(),
    }
    return {**values, **changes}


@pytest.mark.requirement("A11", "A20")
def test_damaged_files_of_every_family_are_accounted_for_and_harm_no_other(
    story: Path, mutator: Mutator, tmp_path: Path
) -> None:
    """Each is an exhibit with its own bytes and a named outcome; the rest of the batch is right."""
    fuzz = Fuzz(tmp_path, mutator, files_below(story))
    fuzz.round(range(EACH))
    assert fuzz.tally.failures == []
    assert fuzz.tally.mutants == EACH * len(mutator.families)
    write_page(tmp_path / "fuzz.md", fuzz.tally, {"seed": 1, "seeds": 1, "seconds": 1})
    assert f"| damaged files | {fuzz.tally.mutants} in 1 batches |" in (tmp_path / "fuzz.md").read_text()


def test_a_mutant_is_made_again_from_its_label_alone(seeds: list[tuple[str, Seed]], mutator: Mutator) -> None:
    again = Mutator(seeds, seed=1)
    for family in mutator.families:
        assert again.named(f"{family}-5") == mutator.mutant(family, 5)
    assert mutator.mutant("pdf", 5) != mutator.mutant("pdf", 6)


@pytest.mark.parametrize("mutation", [*PLAIN, change_member], ids=lambda mutation: mutation.__name__)
def test_every_mutation_changes_something(mutation: Mutation) -> None:
    good = zipped({"a.txt": bytes(range(48, 58)) * 40, "b.txt": b"12 34"})
    seeds = {"zip": [Seed(".zip", "application/zip", good)], "pdf": [Seed(".pdf", "application/pdf", b"%PDF" * 99)]}
    made = {mutation(good, Bench(Random(number), seeds)) for number in range(20)}
    assert len(made - {good}) > 2


def test_a_lost_mutant_and_one_with_other_bytes_or_without_an_outcome_are_failures() -> None:
    mutants = {MUTANT.label: MUTANT}
    assert lost([row("00017 pdf-3.pdf")], mutants) == []
    assert lost([], mutants) == ["pdf-3 is no exhibit"]
    assert lost([row("00017 pdf-3.pdf", sha256="00")], mutants) == ["pdf-3 has other bytes than were imported"]
    inside = row("00017 pdf-3.pdf//a.txt", outcome=None)
    assert lost([row("00017 pdf-3.pdf"), inside], mutants) == ["00017 pdf-3.pdf//a.txt has no named outcome"]


def test_a_good_file_that_comes_out_otherwise_than_alone_is_a_failure_wherever_it_stands() -> None:
    clean = controls_of([row("00000 control-4.zip"), row("00000 control-4.zip//a")])
    moved = [row("00123 control-4.zip", id=7), row("00123 control-4.zip//a"), row("00124 pdf-3.pdf")]
    assert harmed(controls_of(moved), clean) == []
    assert harmed(controls_of(moved[:1]), clean) != []
    assert harmed(controls_of([moved[0], row("00123 control-4.zip//a", outcome="PARTIAL")]), clean) != []


def test_deaths_and_errors_that_no_handler_foresaw_are_findings() -> None:
    assert label_of(row("00017 pdf-3.pdf//inside.txt")) == "pdf-3"
    assert unforeseen(row("a", outcome="CRASHED", detail="killed by SIGSEGV")) == "pdf: killed by SIGSEGV"
    raised = [{"code": "HANDLER_ERROR", "detail": "pdf: KeyError: 'Root'"}]
    assert unforeseen(row("a", outcome="INVALID_FILE", problems=raised)) == "pdf: KeyError: 'Root'"
    cut = [{"code": "FILE_MISSING_OR_INCOMPLETE", "detail": "TIMED_OUT: over 20 s"}]
    assert unforeseen(row("a", outcome="PARTIAL", problems=cut)) == "TIMED_OUT: over 20 s"
    told = [{"code": "HANDLER_ERROR", "detail": "repaired before reading: no cross-reference table"}]
    assert unforeseen(row("a", problems=told)) == ""
