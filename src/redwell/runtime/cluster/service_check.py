"""What the scale-in alarm of a service prompts (SPEC A15, A19): `redwell workers --check SERVICE`, in its own process.

The alarm says that little is done. Whether the job has ended the ledger says, to this look as to every other: one that
goes on keeps its workers.
"""

import logging
from contextlib import closing
from pathlib import Path

from redwell.core.errors import RedwellError, UserError
from redwell.runtime.bootstrap.cases.case_places import CasePlaces
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.services.service_notes import has_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.cluster.service_assignment import open_assignments
from redwell.runtime.delivery.late_tidying import take_away_queues

log = logging.getLogger(__name__)


def check_service(home: Path, settings: Settings, service: str) -> None:
    """Jobs that have ended leave it, with what is left of their queues; without a job it is free and has no workers."""
    unknown = UserError(f"no service {service!r} is registered; `redwell workers` lists them")
    if not has_services(home, settings):
        raise unknown
    with open_assignments(home, settings) as assignments:
        before = assignments.row(service)
        if before is None:
            raise unknown
        assignments.update()
        after = assignments.row(service)
    ended = before.jobs - (after.jobs if after and after.case == before.case else frozenset())
    if ended and before.case:
        _tidy(home, settings, before.case)


def _tidy(home: Path, settings: Settings, number: int) -> None:
    """A case that can't be opened from here is left to its workers, and to `redwell gc`."""
    with closing(CasePlaces(home, settings)) as places:
        name = places.numbers().get(number)
    try:
        if name is not None and settings.queue != "ledger":
            with open_case(home, name, settings, guest=True) as case:
                take_away_queues(case, dry_run=False)
    except RedwellError as error:
        log.warning("queues of case %r stay: %s", name, error)
