"""How volumes that came with load files add up: rows, files named, files not named. For import, report and verify."""

from collections.abc import Iterator
from typing import Any

from redwell.core.case.findings import Check, Finding
from redwell.core.case.rows import VolumeAccount
from redwell.core.loadfiles.volume_document import COUNTS, balances, figures
from redwell.ports.case_reader import CaseReader


def told_volumes(rows: CaseReader, batch: int) -> list[dict[str, Any]]:
    return [_told(each) for each in rows.volumes() if each.batch == batch]


def _told(volume: VolumeAccount) -> dict[str, Any]:
    counts = {name.removeprefix("volume_"): volume.figures.get(name, 0) for name in COUNTS}
    return {"control": volume.control, "path": volume.path, **counts, "balance": list(figures(volume.figures))}


def volumes_in_words(rows: CaseReader) -> list[str]:
    return [f"{each.control} {each.path}: {line}" for each in rows.volumes() for line in figures(each.figures)]


def volume_findings(rows: CaseReader) -> Iterator[Finding]:
    """What was counted when a volume was read is what is there."""
    for each in rows.volumes():
        subject = f"{each.control} {each.path}"
        if "volume_records" not in each.figures:
            continue  # it ended as an exception, which is told of it
        if not balances(each.figures):
            yield Finding(Check.BALANCE, subject, "; ".join(figures(each.figures)))
        if each.records != each.figures["volume_records"]:
            detail = f"{each.figures['volume_records']} records were read, {each.records} are exhibits"
            yield Finding(Check.BALANCE, subject, detail)
