"""The sample dispute: a buyer of valves, its three custodians and what they kept. All of it is invented."""

import os
from datetime import UTC, datetime
from pathlib import Path

from .correspondence import archers_mails, bakers_mails
from .papers import archers_papers, bakers_papers, coopers_papers

_MODIFIED = datetime(2023, 6, 30, 12, tzinfo=UTC).timestamp()


def write_story(out: Path) -> int:
    """Write a folder per custodian below `out`; say how many files that made."""
    written = _write(out / "archer" / "Mail", archers_mails()) + _write(out / "archer", archers_papers())
    written += _write(out / "baker" / "Mail", bakers_mails()) + _write(out / "baker", bakers_papers())
    written += _write(out / "cooper", coopers_papers())
    (out / "cooper" / "Link to contracts").symlink_to("../archer/Contracts")
    return written + 1


def _write(folder: Path, files: dict[str | bytes, bytes] | dict[str, bytes]) -> int:
    written = 0
    for name, data in files.items():
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_bytes(data)
        except OSError:
            if isinstance(name, str):
                raise
            continue  # macOS refuses names that are not UTF-8
        os.utime(path, (_MODIFIED, _MODIFIED))
        written += 1
    return written
