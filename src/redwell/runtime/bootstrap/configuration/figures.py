"""Figures of the specification as settings (SPEC D12): attempts, pauses, weights, pools. Part of `Settings`.

Few will ever change one; who has to finds it here. Delays of queues are made shorter together by `delay_percent`.
"""

from dataclasses import dataclass, field
from typing import Any

from redwell.core.patience import USUAL, USUAL_POOL, Patience, Pool
from redwell.core.work import attempts
from redwell.core.work.kinds import Table, tried
from redwell.core.work.polling import USUAL_PACE, Pace


def setting(
    default: Any, doc: str, choices: tuple[str, ...] = (), *, secret: bool = False, least: int = 0, most: int = 1 << 62
) -> Any:
    said = {"doc": doc, "choices": choices, "secret": secret, "least": least, "most": most}
    return field(default=default, metadata=said, repr=not secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    small_tries: int = setting(
        attempts.EXTRACTION.small,
        "times that a small document may fail its child before it goes on as a large one",
        least=1,
        most=100,
    )
    large_tries: int = setting(
        attempts.EXTRACTION.large, "times that a large one may before it is given up", least=1, most=100
    )
    plain_tries: int = setting(
        attempts.PRINTING.plain,
        "1: behind these a PDF is tried once more without what can be spared, such as pictures; 0: it is not",
        most=1,
    )
    understand_tries: int = setting(
        attempts.UNDERSTANDING, "times that a document is tried to be understood, then a person has to look", least=1
    )
    source_tries: int = setting(
        attempts.ACQUISITION, "times that something in a source is fetched, then `source list` names it", least=1
    )
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
    poll_first_s: int = setting(
        USUAL_PACE.first_s,
        "seconds until it is looked again what becomes of a queue, where less than 500 documents are left; at 500,"
        " 1000, 2000 and 5000 as much is added",
        least=1,
    )
    poll_stalls: int = setting(
        USUAL_PACE.stalls,
        "looks without progress after which a warning names what waits, and all is begun anew",
        least=1,
    )
    poll_stalled_s: int = setting(USUAL_PACE.stalled_s, "seconds between these looks", least=1)
    pool_connections: int = setting(
        USUAL_POOL.kept, "connections to the database that a process keeps for a case", least=1
    )
    pool_more: int = setting(USUAL_POOL.more, "that may come to these while they are all at work")
    pool_wait_s: int = setting(USUAL_POOL.wait_s, "seconds that whoever needs one waits for it", least=1)
    pool_life_s: int = setting(USUAL_POOL.life_s, "seconds after which a connection is replaced", least=1)
    aws_connect_s: int = setting(USUAL.connect_s, "seconds that a service of AWS has to take a connection", least=1)
    aws_read_s: int = setting(
        USUAL.read_s, "seconds that it may be silent (receipts from queues wait up to 20 by themselves)", least=21
    )
    aws_tries: int = setting(USUAL.tries, "times that it is asked before it counts as away", least=1, most=100)

    @property
    def attempts(self) -> Table:
        return tried(self.small_tries, self.large_tries, self.plain_tries)

    @property
    def pace(self) -> Pace:
        return Pace(first_s=self.poll_first_s, stalls=self.poll_stalls, stalled_s=self.poll_stalled_s)

    @property
    def pool(self) -> Pool:
        return Pool(self.pool_connections, self.pool_more, self.pool_wait_s, self.pool_life_s)

    @property
    def patience(self) -> Patience:
        return Patience(self.aws_connect_s, self.aws_read_s, self.aws_tries)
