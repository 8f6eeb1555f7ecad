"""Where events are written down for analysis, as the settings say. Part of bootstrap's joining."""

from pathlib import Path
from typing import Any

from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import monitor_adapter, s3_adapter

FOLDER = "monitor"


def open_statuses(home: Path, settings: Settings) -> StatusStore:
    folder = home / FOLDER
    places = monitor_adapter("status_places")
    place: Any = places.FolderPlace(folder)
    if settings.monitor_files:
        place = places.BucketPlace(
            s3_adapter("objects").Objects(settings.monitor_files, settings.patience), folder / "copies"
        )
    store: StatusStore = monitor_adapter("status_files").StatusFiles(place, folder / "scratch")
    return store
