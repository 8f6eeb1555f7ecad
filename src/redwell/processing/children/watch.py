"""When a child has to die, and what it died of. Called by the pool every quarter second, in the parent."""

import shutil
import signal
from typing import NamedTuple

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.processing.children import processes, scratch
from redwell.processing.children.child import Child
from redwell.processing.children.limits import ChildConfig

_SCRATCH_AFTER_S = 1.0  # most documents are done before it is worth looking
_FEW_MB, _NEARLY_FULL_MB = 16, 512
_WAITING = 1  # the template: what it uses, the host shares


class Verdict(NamedTuple):
    outcome: Outcome
    detail: str


def judge(child: Child, now: float) -> Verdict | None:
    """Why this child must not go on, if so. Marks one that has grown as to be replaced."""
    config = child.config
    if child.process.poll() is not None and not child.dialogue.flights:
        return Verdict(Outcome.CRASHED, "ended while idle")
    if child.dialogue.hello is None:
        slow = now - child.started > config.start_s
        return Verdict(Outcome.TIMED_OUT, f"did not start within {config.start_s:g} s") if slow else None
    if not child.dialogue.flights:
        return None
    lane = child.dialogue.lane
    limits, taken_s = config.of(lane), now - child.dialogue.since
    if taken_s > limits.wall_s:
        return Verdict(Outcome.TIMED_OUT, f"over {limits.wall_s:g} s (setting {lane}_wall_s)")
    if taken_s > _SCRATCH_AFTER_S and (verdict := judge_files(child)):
        return verdict
    return _judge_size(child, config, limits.rss_mb, f"{lane}_rss_mb")


def judge_files(child: Child) -> Verdict | None:
    """Whether it has written more than it may, or more than is left on a disk that is nearly full."""
    used_mb, most_mb = scratch.size_mb(child.folder), child.config.spool_mb
    if used_mb > most_mb:
        return Verdict(Outcome.CRASHED, f"over {most_mb} MB of temporary files (setting spool_mb)")
    if used_mb > _FEW_MB and shutil.disk_usage(child.folder).free >> 20 < min(used_mb, _NEARLY_FULL_MB):
        return Verdict(Outcome.CRASHED, f"{used_mb} MB of temporary files filled the disk")
    return None


def _judge_size(child: Child, config: ChildConfig, rss_mb: int, setting: str) -> Verdict | None:
    pids = processes.descendants(child.process.pid)[_WAITING:]
    if len(pids) > config.rights.max_processes:
        return Verdict(Outcome.CRASHED, f"over {config.rights.max_processes} processes")
    used = processes.rss_mb(pids)
    if used > rss_mb:
        return Verdict(Outcome.OUT_OF_MEMORY, f"{used} MB of memory (setting {setting})")
    if used > config.retire_rss_mb:
        child.units = config.life
    return None


def cause_of_death(code: int) -> Verdict:
    """A child passes its host's signal on as 128 and its number, as shells do."""
    if code == wire.ChildExit.CUT_OFF:
        return Verdict(Outcome.CRASHED, "could not write what it found")
    number = code - 128 if code > 128 else -code
    try:
        name = signal.Signals(number).name
    except ValueError:
        return Verdict(Outcome.CRASHED, f"ended itself with exit code {code}")
    outside = ", perhaps by the kernel for lack of memory" if number == signal.SIGKILL else ""
    return Verdict(Outcome.CRASHED, f"killed by {name}{outside}")
