"""What people ask of events, ready to be asked by name: `redwell events sql slow-documents` (SPEC A16). Pure."""

from collections.abc import Mapping
from typing import NamedTuple


class ReadyQuery(NamedTuple):
    says: str
    sql: str


_TASKS = """
tasks AS (
  SELECT caseid, batchid, jobid, eventtype, happened, documentid, exhibits, status, eventdetail->>'task' AS task,
         eventdetail->>'number' AS number, eventdetail->>'outcome' AS outcome
  FROM events WHERE eventtype IN ('TASK_ADDED', 'TASK_FINISHED') AND eventdetail->>'number' IS NOT NULL
),
done AS (
  SELECT f.caseid, f.batchid, f.task, f.documentid, f.exhibits, f.outcome, f.status,
         a.happened AS asked, f.happened AS ended, epoch_ms(f.happened - a.happened) / 1000.0 AS seconds
  FROM tasks f JOIN tasks a USING (caseid, batchid, jobid, task, number)
  WHERE f.eventtype = 'TASK_FINISHED' AND a.eventtype = 'TASK_ADDED'
)"""

READY: Mapping[str, ReadyQuery] = {
    "slow-documents": ReadyQuery(
        "contents that took longest from being asked for to their end, waiting included",
        f"WITH {_TASKS} SELECT caseid, batchid, exhibits[1] AS exhibit, documentid, task, outcome, seconds"
        " FROM done ORDER BY seconds DESC, documentid LIMIT 50",
    ),
    "failures": ReadyQuery(
        "what was given up or failed an attempt, by task, outcome and reason",
        """SELECT caseid, batchid, eventtype, eventdetail->>'task' AS task, eventdetail->>'outcome' AS outcome,
  coalesce(eventdetail->>'problem', '') AS problem, count(*) AS events, min(eventdetail->>'reason') AS example
  FROM events WHERE eventtype IN ('ERROR', 'WARNING') GROUP BY ALL ORDER BY events DESC, caseid, batchid, task""",
    ),
    "throughput": ReadyQuery(
        "documents that were completed, by hour",
        """SELECT date_trunc('hour', happened) AS hour, caseid, batchid, sum(len(exhibits)) AS documents,
  count(*) FILTER (WHERE status = 'ERROR') AS errors
  FROM events WHERE eventtype = 'DOCUMENT_PROCESSED' GROUP BY ALL ORDER BY hour, caseid, batchid""",
    ),
    "waiting": ReadyQuery(
        "what a batch waited for: tasks by kind, from when to when, and their seconds from asked for to done",
        f"WITH {_TASKS} SELECT caseid, batchid, task, count(*) AS tasks, min(asked) AS first, max(ended) AS last,"
        " round(median(seconds), 3) AS median_s, round(max(seconds), 3) AS longest_s"
        " FROM done GROUP BY ALL ORDER BY caseid, batchid, last",
    ),
    "batches": ReadyQuery(
        "each batch from its first event to its last",
        """SELECT caseid, batchid, min(happened) AS began, max(happened) AS last, count(*) AS events,
  count(*) FILTER (WHERE eventtype = 'DOCUMENT_ADDED') AS documents,
  count(*) FILTER (WHERE eventtype = 'ERROR') AS errors,
  bool_or(eventtype = 'JOB_FINISHED') AS finished
  FROM events GROUP BY ALL ORDER BY began""",
    ),
}
