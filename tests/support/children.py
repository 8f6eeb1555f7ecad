"""Runs documents through a real pool as a worker would: what is returned is sent again.

Imported by the fault tests; also a program (`python -m tests.support.children < plan`), so that a test can
run the same as another user, or where the kernel refuses something.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.work.kinds import Profile
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS, Rights
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Finished, MemberFound, Returned

ROOT = Path(__file__).parents[2]
PATIENT = LaneLimits(wall_s=60, rss_mb=250)  # for what ends by itself, however busy the machine is
HASTY = LaneLimits(wall_s=2, rss_mb=250)  # for what hangs
FAULTY = str(Path(__file__).parent / "faulty")


@dataclass
class End:
    """How one document ended; exactly one of these is made for each."""

    outcome: str
    detail: str
    text: str = ""
    problems: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    opened: tuple[str, str] | None = None
    container: bool = False
    declared: int | None = None


@dataclass
class Run:
    ends: dict[int, End] = field(default_factory=dict)
    members: dict[int, list[tuple[wire.Member, bytes | None]]] = field(default_factory=dict)
    layers: dict[str, str] = field(default_factory=dict)
    pdfs: dict[int, bytes] = field(default_factory=dict)  # renditions, by task
    returned: int = 0


def config(folder: Path, **changes: Any) -> ChildConfig:
    values: dict[str, Any] = {
        "handlers": ("faulty.handler",),
        "readable": (folder / "in",),
        "scratch": folder / "scratch",
        "small": PATIENT,
        "large": PATIENT,
        "spool_mb": 8,
    }
    return ChildConfig(**{**values, **changes})


def write_tasks(folder: Path, documents: Sequence[str]) -> list[wire.Task]:
    """All documents in one pack file, each a slice of it."""
    (folder / "in").mkdir(exist_ok=True)
    pack = folder / "in" / "pack"
    tasks, offset = [], 0
    with pack.open("wb") as out:
        for number, document in enumerate(documents):
            data = document.encode()
            out.write(data)
            tasks.append(wire.Task(id=number, path=str(pack), offset=offset, length=len(data), name="a.txt"))
            offset += len(data)
    return tasks


def run(tasks: Sequence[wire.Task], children: ChildConfig, *, size: int = 1, lane: Lane = Lane.SMALL) -> Run:
    """One message of all tasks, then whatever came back in a message of its own, until all have ended."""
    result = Run()
    by_id = {task.id: task for task in tasks}
    waiting = [list(tasks)]
    with Pool(children, size) as pool:
        result.layers = pool.hello().layers
        while len(result.ends) < len(tasks):
            while waiting and pool.free(children.profile):
                pool.submit(waiting.pop(0), lane, children.profile)
            for event in pool.wait(5):
                if isinstance(event, Returned):
                    result.returned += len(event.tasks)
                    waiting.append([by_id[task] for task in event.tasks])
                else:
                    _note(result, event)
    return result


def _note(result: Run, event: MemberFound | Finished | Broken) -> None:
    if isinstance(event, MemberFound):
        data = b"".join(event.data.parts()) if event.data else None
        result.members.setdefault(event.task, []).append((event.member, data))
        return
    assert event.task not in result.ends, "a document ended twice"
    if isinstance(event, Broken):
        result.ends[event.task] = End(str(event.outcome), event.detail, opened=event.opened)
        return
    done = event.done
    made = list(zip(done.made, event.made, strict=True))
    for told, stored in made:
        if told.kind == ArtifactKind.PDF:
            result.pdfs[event.task] = stored.read()
    result.ends[event.task] = End(
        outcome=str(done.outcome),
        detail=done.detail,
        text="".join(stored.read().decode() for told, stored in made if told.kind == ArtifactKind.TEXT),
        problems=[f"{problem.code} {problem.detail}" for problem in done.problems],
        metadata=done.metadata,
        container=done.container,
        declared=done.declared,
    )


BEFORE, AFTER = "FAULT say before", "FAULT say after"


def between(folder: Path, fault: str, **changes: Any) -> Run:
    """Run the fault between two good documents in one message, and see that those come out right."""
    result = run(write_tasks(folder, [BEFORE, f"FAULT {fault}", AFTER]), config(folder, **changes))
    assert sorted(result.ends) == [0, 1, 2]
    assert [(result.ends[n].outcome, result.ends[n].text) for n in (0, 2)] == [
        ("SUCCESS", "before"),
        ("SUCCESS", "after"),
    ]
    return result


def elsewhere(plan: bytes, prefix: Sequence[str] = ()) -> dict[str, Any]:
    """The same in a process of its own: as a normal user, or where the kernel refuses some calls."""
    command = [*prefix, sys.executable, "-m", "tests.support.children"]
    done = subprocess.run(command, input=plan, capture_output=True, cwd=ROOT, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return json.loads(done.stdout)


def plan(
    folder: Path, tasks: Sequence[wire.Task], refuse: Sequence[str] = (), *, hasty: bool = False, **changes: Any
) -> bytes:
    """What `main` reads. `refuse`: calls that its kernel shall not have."""
    fields = ("id", "path", "offset", "length", "name", "as_task", "engine")
    plain = [{field: getattr(task, field) for field in fields} for task in tasks]
    told = {"folder": str(folder), "tasks": plain, "refuse": refuse, "hasty": hasty, "config": changes}
    return json.dumps(told).encode()


def processes_of(folder: Path) -> list[int]:
    """Processes whose home is below `folder`, as that of every child and of all it starts is."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.fsencode(folder) in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return [pid for pid in found if pid != os.getpid()]


def main() -> None:
    told = json.load(sys.stdin)
    if told["refuse"]:
        _refuse(told["refuse"])
    folder = Path(told["folder"])
    profile = Profile(told["config"].pop("profile", Profile.PARSER))
    rights = Rights(**told["config"]["rights"]) if "rights" in told["config"] else RIGHTS[profile]
    told["config"] |= {"profile": profile, "rights": rights}
    small = HASTY if told["hasty"] else LaneLimits(**told["config"].pop("small", {"wall_s": 60, "rss_mb": 250}))
    result = run([wire.Task(**task) for task in told["tasks"]], config(folder, small=small, **told["config"]))
    json.dump({"layers": result.layers, "ends": {task: vars(end) for task, end in result.ends.items()}}, sys.stdout)


def _refuse(calls: Sequence[str]) -> None:
    """For this process and its children, a kernel without these calls (`name`, or `name first-argument`)."""
    import errno

    import pyseccomp

    filter_ = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for call in calls:
        name, _, first = call.partition(" ")
        arguments = [pyseccomp.Arg(0, pyseccomp.EQ, int(first))] if first else []
        filter_.add_rule(pyseccomp.ERRNO(errno.EPERM), name, *arguments)
    filter_.load()


if __name__ == "__main__":
    main()
