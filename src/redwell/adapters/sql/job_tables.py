"""Tables of one case about who works on it: jobs and their runs, workers, queues, and the events that tell of it."""

from sqlalchemy import Column, Index, Table

from redwell.adapters.sql.tables import Bytes, Integer, String, metadata, partial_index

job = Table(
    "job",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("batch", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("workers", Integer, nullable=False),  # at once, at most; 0: any number
    Column("host", String, nullable=False),  # where the sources can be read
    Column("passwords", String, nullable=False),  # the file they are in
    Column("terms", String, nullable=False),
    Column("created_ms", Integer, nullable=False),
    Column("started_ms", Integer),
    Column("served_ms", Integer, nullable=False),
    Column("finished_ms", Integer),
    Column("seal", Bytes),
    partial_index("job_open", "batch", where="finished_ms IS NULL"),
)

run = Table(  # a process at work on a job, and what it was then
    "run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("batch", Integer, nullable=False),
    Column("job", Integer, nullable=False),
    Column("worker", String, nullable=False),
    Column("command", String, nullable=False),
    Column("user", String, nullable=False),
    Column("host", String, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("program", String, nullable=False),
    Column("settings", String, nullable=False),  # that differ from the default
    Column("sandbox", String, nullable=False),
    Column("started_ms", Integer, nullable=False),
    Column("ended_ms", Integer),  # none: it runs, or it was killed
    Column("changed", String),  # by a retry
    Column("seal", Bytes, nullable=False),
    Index("run_batch", "batch"),
)

task_queue = Table(  # of an open job, or of one whose queues are still to be taken down
    "task_queue",
    metadata,
    Column("job", Integer, primary_key=True, autoincrement=False),
    Column("lane", String, primary_key=True),
    Column("batch", Integer, nullable=False),
    Column("name", String, nullable=False, unique=True),
    Column("attempt", Integer, nullable=False),  # how often it was made
    Column("previous", Integer, nullable=False, server_default="-1"),  # core.work.polling.Poll
    Column("retries", Integer, nullable=False, server_default="0"),
    Column("upto", Integer, nullable=False, server_default="0"),  # the last derivation that the poll is about
    Column("due_ms", Integer, nullable=False, server_default="0"),  # of the next poll
)

worker = Table(
    "worker",
    metadata,
    Column("id", String, primary_key=True),
    Column("host", String, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("slots", Integer, nullable=False),
    Column("started_ms", Integer, nullable=False),
    Column("beat", Integer, nullable=False),  # raised while it lives (core.jobs.liveness)
)

parked_post = Table(
    "parked_post",
    metadata,
    Column("event", Integer, primary_key=True, autoincrement=False),
    Column("detail", String, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("type", String, nullable=False),
    Column("batch", Integer),
    Column("body", String, nullable=False),
)
