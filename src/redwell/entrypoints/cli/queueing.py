"""`redwell import --queue`: the batch is left to workers, and whoever listens is told that it waits."""

import json
import shlex
import sys

from redwell.core.errors import Recoverable
from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.cluster.service_assignment import assign
from redwell.runtime.delivery.case_queues import queues_of
from redwell.runtime.monitor.listeners import tell_now
from redwell.runtime.upkeep import batches
from redwell.runtime.upkeep.status import is_manned


def queued(case: Case, batch: int, as_json: bool) -> int:
    job = batches.last_job(case, batch).id
    _make_queues(case)
    service = assign(case.home, case.settings, case.number, job)
    tell_now(case)
    said = {"case": case.name, "batch": batch, "job": job, "service": service}
    waits = f"is with service {service}" if service else "waits for a worker: redwell worker"
    print(json.dumps(said) if as_json else f"batch {batch} of case {case.name!r} {waits}")
    if service and case.settings.scaling == "none" and not is_manned(case.home, case.settings, service):
        start = f"redwell worker --service {shlex.quote(service)}"
        print(f"redwell: no worker of {service} is seen from here; it waits until one comes: {start}", file=sys.stderr)
    return ExitCode.OK


def _make_queues(case: Case) -> None:
    """Before anybody is told that the job is queued (SPEC A2, A18); what is away now is left to the first worker."""
    try:
        with queues_of(case) as queues:
            if queues:
                queues.look(case.store.open_jobs())
    except Recoverable as error:
        print(f"redwell: {error}; the first worker makes the queues", file=sys.stderr)
