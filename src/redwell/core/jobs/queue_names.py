"""Names of queues: short, of few characters, and never one that was in use a minute ago (SPEC A2).

Whoever makes or looks for a queue asks here, so that both find the same one.
"""

import re

LONGEST = 80
_ALLOWED = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}")


def task_queue(prefix: str, case: int, job: int, size: str, attempt: int = 1) -> str:
    """Of a job's small or large tasks; `attempt` counts how often the job's queues were made."""
    return checked(f"{prefix}_nptasks_{case}_{job}_{size}{_suffix(attempt)}")


def failed_tasks(prefix: str) -> str:
    """The dead letters of all task queues."""
    return checked(f"{prefix}-failed-extraction-tasks")


def loader_queue(prefix: str, case: int, batch: int, attempt: int = 1) -> str:
    """Of what the loader of a batch hears; `attempt` counts how often the batch had one."""
    return checked(f"{prefix}_doc_loader_{case}_{batch}{_suffix(attempt)}")


def loader_dead_letters(queue: str) -> str:
    return checked(f"{queue}-dead")


def uploader_queue(prefix: str, case: int, batch: int, attempt: int = 1) -> str:
    """Of the documents that a batch's uploader has to hand over."""
    return checked(f"{prefix}_doc_uploader_{case}_{batch}{_suffix(attempt)}")


def uploader_dead_letters(queue: str) -> str:
    return checked(f"{queue}-dead")


def uploader_not_yet(queue: str) -> str:
    """Of documents whose PDF is not there yet."""
    return checked(f"{queue}-pdf")


def uploader_events(prefix: str, case: int) -> str:
    """Of what the uploaders of a case hear, their own events among it."""
    return checked(f"{prefix}_uploader_events_{case}")


def uploader_stacks(prefix: str) -> str:
    """What the names of all stacks of uploaders begin with."""
    return f"{prefix}-UploaderStack-"


def uploader_stack(prefix: str, queue: str) -> str:
    """The stack whose tasks take documents from this queue: case and batch behind each other, and the attempt."""
    return uploader_stacks(prefix) + queue.removeprefix(f"{prefix}_doc_uploader_").replace("_", "-")


def uploader_cluster(prefix: str) -> str:
    """Where the tasks of all uploaders run, and are counted."""
    return f"{prefix}-uploaders"


def checked(name: str) -> str:
    if not _ALLOWED.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a queue: 1 to {LONGEST} letters, digits, - and _")
    return name


def _suffix(attempt: int) -> str:
    """A deleted queue's name may be refused for 60 s, so the next attempt has another."""
    return f"-{attempt}" if attempt > 1 else ""
