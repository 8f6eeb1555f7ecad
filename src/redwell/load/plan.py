"""The plan of a load, as data: its steps in order, each with the checkpoint (SPEC D3) that it brings.

A step runs over a chunk of exhibits, and may run over the same ones again. An exhibit's load goes on behind the
checkpoint that is kept with it, so a new step has its place here and a number in core.case.checkpoints.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.rows import ToLoad
from redwell.load.file_exhibits import note_custodians, note_sources, put_into_folders
from redwell.load.find_copies import find_copies
from redwell.load.find_threads import find_threads
from redwell.load.import_tags import import_tags
from redwell.load.loading import Loading
from redwell.load.project import add_entries
from redwell.load.show_parts import show_parts


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    checkpoint: Checkpoint
    run: Callable[[Loading, Sequence[ToLoad]], None] | None  # None: where a chunk is taken


PLAN = (
    Step("number", Checkpoint.STARTED, None),
    Step("copies", Checkpoint.DUPLICATION, find_copies),
    Step("threads", Checkpoint.EXHIBIT, find_threads),
    Step("parts", Checkpoint.PAGES, show_parts),
    Step("taggings", Checkpoint.TAGGINGS, import_tags),  # with their entries in the audit log
    Step("sources", Checkpoint.BATCH_SOURCES, note_sources),
    Step("custodians", Checkpoint.CUSTODIANS, note_custodians),
    Step("folders", Checkpoint.FOLDERING, put_into_folders),
    Step("index", Checkpoint.INDEX, add_entries),  # the last: what can be found is complete
)
