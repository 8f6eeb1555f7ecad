"""What is wrong with a volume, for a page: its lint and a mapping, in a process of its own that can be ended.

The grammar of load files is pure, yet what it reads came from others (ADR 35): a page waits for it so long, no longer.
"""

import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec import json as msgspec_json

from redwell.core.errors import Recoverable, RedwellError, UserError
from redwell.core.loadfiles.formats.sniff import LoadFileKind
from redwell.runtime.loadfiles.linting import VolumeLint, proposed_mapping
from redwell.runtime.loadfiles.opened import Given, OpenedLoadFile
from redwell.runtime.loadfiles.volume import load_files

LONGEST_S = 120
_SHOWN = 300


class Look(Struct, kw_only=True):
    folder: str
    load_files: list[dict[str, Any]] = []
    findings: list[dict[str, Any]] = []
    counts: dict[str, int] = {}  # by code
    errors: int = 0
    warnings: int = 0
    balance: dict[str, int] = {}
    mapped: str = ""  # the load file that the columns are of
    columns: list[dict[str, Any]] = []  # number, name, field, reason
    wrong: str = ""


def look_at(place: Path) -> Look:
    command = [sys.executable, "-m", "redwell.runtime.serving.volume_look", str(place)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=LONGEST_S, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        raise Recoverable(
            f"the load files of {place} take longer than {LONGEST_S} s: `redwell loadfile lint` has no limit"
        ) from None
    if run.returncode:
        raise Recoverable(f"the load files of {place} could not be looked at: try `redwell loadfile lint`")
    found = msgspec_json.decode(run.stdout, type=Look)
    if found.wrong:
        raise UserError(found.wrong)
    return found


def looked(place: Path) -> Look:
    files = load_files(place)
    lint, counts, shown = VolumeLint(files, Given()), Counter[str](), list[dict[str, Any]]()
    for finding in lint:
        counts[finding.code] += 1
        counts[finding.rule.severity.value] += 1
        if len(shown) < _SHOWN:
            told = {name: getattr(finding, name) for name in ("code", "file", "row", "column", "field", "value")}
            words = f"{finding.rule.words} {finding.detail}".strip()
            shown.append({**told, "severity": finding.rule.severity.value, "words": words})
    balance = lint.balance
    names = ("paths", "paths_found", "paths_not_found", "files", "files_named", "files_not_named")
    found = Look(
        folder=str(place),
        load_files=lint.described,
        findings=shown,
        errors=counts.pop("error", 0),
        warnings=counts.pop("warning", 0),
        counts=dict(counts),
        balance={name: getattr(balance, name) for name in names},
    )
    _map(found, files)
    return found


def _map(found: Look, files: list[Path]) -> None:
    """Of the first load file with columns."""
    tables = (path for path in files if OpenedLoadFile(path, Given()).kind is LoadFileKind.DELIMITED)
    for path in islice(tables, 1):
        columns = proposed_mapping(path, Given()).columns
        found.mapped = path.name
        found.columns = [
            {"number": each.number, "name": each.name, "field": each.field, "reason": each.reason} for each in columns
        ]


def _main(place: str) -> None:
    try:
        found = looked(Path(place))
    except (RedwellError, OSError) as error:
        found = Look(folder=place, wrong=str(error))
    sys.stdout.buffer.write(msgspec_json.encode(found))


if __name__ == "__main__":
    _main(sys.argv[1])
