"""Whether a home has services of workers at all: then a file in it says so, and others need not ask a registry."""

from pathlib import Path

from redwell.adapters.files.notes import noted
from redwell.runtime.bootstrap.settings import Settings

SERVICES_FILE = "services.sqlite"  # queues, bus and registry, where no server has them
_NOTE = "services.json"


def has_services(home: Path, settings: Settings) -> bool:
    """Where machines share a registry, another one may have registered them."""
    return bool(settings.database) or settings.registry == "dynamodb" or (home / _NOTE).exists()


def note_services(home: Path, settings: Settings) -> None:
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    noted(home, _NOTE, f'{{"registry":"{settings.registry}"}}\n'.encode())
