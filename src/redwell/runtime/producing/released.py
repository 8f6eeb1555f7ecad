"""What became of a volume that was written, and of one whose writer was killed before the case knew."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redwell.produce.leak_verdict import Leak
from redwell.produce.out_folder import hash_of

MANIFEST = "MANIFEST.sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    folder: str
    manifest: str
    documents: int
    files: int
    bytes: int
    problems: Sequence[str]
    elsewhere: Sequence[Leak]


def released_before(target: Path, documents: int) -> Released:
    """Of a run that was killed before the case knew of it."""
    files = [line.partition("  ")[2] for line in (target / MANIFEST).read_text("utf-8").splitlines()]
    return Released(
        folder=str(target),
        manifest=hash_of(target / MANIFEST),
        documents=documents,
        files=len(files) + 1,
        bytes=sum((target / name).stat().st_size for name in files),
        problems=(),
        elsewhere=(),
    )
