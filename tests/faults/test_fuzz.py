"""Damaged files among good ones: a short run of what `make fuzz` does for as long as it is let, and its own checks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fuzz import Fuzz, files_below, seeds_below
from benchmarks.fuzz_checks import controls_of, harmed, lost, unforeseen
from benchmarks.fuzz_page import write_page
from benchmarks.mutations import PLAIN, Bench, Mutant, Mutator, Seed
from examples.evidence.story import write_story
from random import Random

EACH = 8


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("story")
    write_story(folder)
    return folder


@pytest.fixture(scope="module")
def mutator(story: Path) -> Mutator:
    return Mutator(seeds_below([story]), seed=1)


def test_damaged_files_of_every_family_are_accounted_for_and_harm_no_other(
    story: Path, mutator: Mutator, tmp_path: Path
) -> None:
    """A10, A20: each is an exhibit with its bytes and a named outcome, the rest of the batch is right."""
    fuzz = Fuzz(tmp_path, mutator, files_below(story))
    fuzz.round(range(EACH))
    assert fuzz.tally.failures == []
    assert fuzz.tally.mutants == EACH * len(mutator.families)
    write_page(tmp_path / "fuzz.md", fuzz.tally, {"seed": 1, "seeds": 1, "seconds": 1})
    assert f"| damaged files | {fuzz.tally.mutants} in 1 batches |" in (tmp_path / "fuzz.md").read_text()
