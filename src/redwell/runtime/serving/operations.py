"""What goes on in a case, for the operations page and the API: work that waits, pace, disk. Only looks."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import structs

from redwell.core.jobs.pace import paced
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.serving.event_charts import event_charts
from redwell.runtime.upkeep import status

MOST_FILES = 200_000  # that are looked at for their sizes


def operations(home: Path, settings: Settings, reader: Reader) -> dict[str, Any]:
    pace = paced(reader.rows.pace())
    return {
        "jobs": status.jobs(home, settings, reader.name, True),
        "workers": [row for row in status.workers(home, settings) if row["case"] == reader.name],
        "waiting": [{"task": task, "lane": lane, "count": count} for task, lane, count in reader.rows.open_work()],
        "parked": [structs.asdict(work) for work in reader.rows.parked()],
        "slow": [structs.asdict(work) for work in reader.rows.slow()],
        "uploaders": {batch: life.uploader for batch, life in reader.rows.loaders().items() if life.uploader},
        "pace": asdict(pace) if pace else None,
        "events": event_charts(home, settings, reader.number),
        "disk": disk(home / "cases" / str(reader.number)),
    }


def disk(folder: Path) -> dict[str, Any]:
    """Bytes of a case's folder by part, and what is left on its disk."""
    parts: dict[str, int] = {}
    for count, (part, size) in enumerate(_sizes(folder)):
        if count > MOST_FILES:
            break
        parts[part] = parts.get(part, 0) + size
    at = folder if folder.exists() else folder.parents[1]
    usage = shutil.disk_usage(at)
    return {"parts": dict(sorted(parts.items())), "used": sum(parts.values()), "free": usage.free, "total": usage.total}


def _sizes(folder: Path) -> Iterator[tuple[str, int]]:
    for place, _, names in os.walk(folder):
        inside = Path(place).relative_to(folder).parts
        for name in names:
            try:
                yield (
                    (inside[0] if inside else "database" if "sqlite" in name else "other"),
                    os.stat(f"{place}/{name}").st_size,
                )
            except OSError:
                continue  # it was there a moment ago
