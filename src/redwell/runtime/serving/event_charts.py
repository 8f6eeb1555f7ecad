"""What the files of events say of one case, for the charts of the operations page: the ready queries. Only looks.

The files are taken as they are; who wants them newer asks `redwell events sql`, or has them written live.
"""

from pathlib import Path
from typing import Any

from redwell.core.errors import UserError
from redwell.core.events.status_queries import READY
from redwell.core.events.statuses import case_folder
from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.open_statuses import FOLDER, open_statuses
from redwell.runtime.bootstrap.settings import Settings

MOST = 12  # bars of a chart
HOURS = 72
_ORDER = {
    "failures": "events DESC",
    "waiting": "longest_s DESC",
    "throughput": "hour DESC",
    "slow-documents": "seconds DESC",
}


def event_charts(home: Path, settings: Settings, case: int) -> dict[str, Any] | None:
    """None where no events of the case are written down on this machine, or nothing here can read them."""
    if settings.monitor_files or not (home / FOLDER / case_folder(case)).is_dir():
        return None
    try:
        store = open_statuses(home, settings)
        charts = {name: _rows(store, name, case) for name in _ORDER}
    except UserError:  # the extra is not installed
        return None
    return {
        "failures": [
            {
                "what": f"{row['task'] or row['eventtype']}: {row['outcome'] or row['problem'] or 'other'}",
                "count": row["events"],
            }
            for row in charts["failures"][:MOST]
        ],
        "waiting": [
            {"what": row["task"], "batch": row["batchid"], "tasks": row["tasks"], "longest_s": float(row["longest_s"])}
            for row in charts["waiting"][:MOST]
        ],
        "hours": [
            {"hour": row["hour"].isoformat(), "count": int(row["documents"] or 0)}
            for row in reversed(charts["throughput"][:HOURS])
        ],
        "slow": [
            {"exhibit": row["exhibit"], "what": row["task"], "seconds": float(row["seconds"])}
            for row in charts["slow-documents"][:MOST]
        ],
    }


def _rows(store: StatusStore, name: str, case: int) -> list[dict[str, Any]]:
    """Of one case alone: whoever looks may see no other."""
    sql = f"SELECT * FROM ({READY[name].sql}) WHERE caseid = {int(case)} ORDER BY {_ORDER[name]} LIMIT {HOURS}"
    answer = store.ask(sql)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
