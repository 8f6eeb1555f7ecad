"""A log line for each document that a child is through with (SPEC B10), where logs are read by programs."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Phase
from redwell.runtime.monitor.logs import bound
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight

log = logging.getLogger(__name__)  # set_up says whether it speaks
_STEPS = {Phase.TEXT: "extract", Phase.RENDITION: "render", Phase.OCR: "recognise"}
IdentityOf = Callable[[int], Mapping[str, Any]]


def document_done(task: int, outcome: Outcome, held: ClaimsInFlight, identity_of: IdentityOf) -> None:
    """Its own time is what has passed since the one before it in its message."""
    if not log.isEnabledFor(logging.INFO):
        return
    job, step = held.job_of(task), _STEPS[held.phase_of(task)]
    about = {"batch": job.batch, "job": job.id, "attempt": held.attempt_of(task), "step": step, "status": outcome}
    with bound(**about, duration_ms=held.taken_ms(task), **identity_of(task)):
        log.info("%s: %s", step, outcome)
