"""Opens children that make what goes out: those of the case, which may also read the folder that is written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from redwell.ports.printing import Printing
from redwell.processing.children.pool import Pool
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.producing.child_printing import ChildPrinting


@contextmanager
def printing_for(case: Case, folder: Path) -> Iterator[Printing]:
    parsers, others = case.parsers, case.other_children
    readable = (*parsers.readable, folder)
    slots = case.settings.slots or os.cpu_count() or 1
    every = {**parsers.options, "ocr_all": 1}  # a text layer of ours must not stand for what a page shows
    configs = {profile: replace(config, readable=readable, options=every) for profile, config in others.items()}
    with Pool(replace(parsers, readable=readable), slots, configs) as pool:
        yield ChildPrinting(pool)
