"""Figures of the specification as settings (SPEC D12): attempts, pauses, weights, buffers. Part of `Settings`.

Few will ever change one; who has to finds it here. Delays of queues are made shorter together by `delay_percent`.
"""

from dataclasses import dataclass, field
from typing import Any

from redwell.core.work import attempts


def setting(
    default: Any, doc: str, choices: tuple[str, ...] = (), *, secret: bool = False, least: int = 0, most: int = 1 << 62
) -> Any:
    said = {"doc": doc, "choices": choices, "secret": secret, "least": least, "most": most}
    return field(default=default, metadata=said, repr=not secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    large_weight: int = setting(
        5, "eighths of a worker's slots that a large document takes; with --spot all of them", least=1, most=8
    )
    queue_receives: int = setting(
        attempts.TASK_MESSAGES,
        "receipts after which a message of a task queue that nobody can take is a dead letter",
        least=1,
    )
    loader_receives: int = setting(attempts.LOADER_MESSAGES, "the same of a message to the loader", least=1)
    loader_redrives: int = setting(
        attempts.LOADER_REDRIVES, "times that its dead letters get another chance when the job ends"
    )
    uploader_receives: int = setting(
        attempts.UPLOADER_MESSAGES, "receipts after which a document is not handed to the viewing engine", least=1
    )
    retry_first_s: int = setting(120, "seconds that a message to loader or uploader waits which failed once", least=1)
    retry_longest_s: int = setting(900, "the same, doubling, at most (a queue takes no more than 900)", most=900)
    empty_queue_s: int = setting(60, "seconds between the two looks that find a queue empty before it is taken down")
    uploader_again_s: int = setting(900, "seconds until a throttled uploader, or one with full queues, looks again")
    not_yet_s: int = setting(180, "seconds that a document waits for its PDF before the uploader asks again", most=900)
    service_tries: int = setting(5, "times that a job tries to take a service of workers in one look", least=1)
    service_pause_ms: int = setting(250, "pause after a lost race for it, doubling, less up to a half by chance")
    monitor_rows: int = setting(500, "rows of the journal after which events are written to a file", least=1, most=500)
    monitor_s: int = setting(60, "seconds after which fewer of them are, too")
    webhook_connect_s: int = setting(5, "seconds that the webhook's endpoint has to take a connection", least=1)
    webhook_answer_s: int = setting(10, "seconds that it has to answer", least=1)
    understand_stale_s: int = setting(
        600,
        "seconds after which a document that is being understood without a sign of life is free for others",
        least=301,
    )
