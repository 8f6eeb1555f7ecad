"""Of a product of kinds the suite runs as few as prove it; `make soak` runs the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def others_in_soak(values: Iterable[Any], *here: Any) -> list[Any]:
    """Parameters of a test: those named are for every run, the others for `make soak`."""
    kinds = list(values)
    assert set(here) <= set(kinds)
    return [value if value in here else pytest.param(value, marks=pytest.mark.soak) for value in kinds]
