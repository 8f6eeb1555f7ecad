"""Version 8: runs are kept with what they were made with; the letters of control numbers belong to the case."""

from sqlalchemy import Connection, text

_RUN = """CREATE TABLE run (
    id {key} NOT NULL, batch {int} NOT NULL, job {int} NOT NULL, worker {str} NOT NULL, command {str} NOT NULL,
    "user" {str} NOT NULL, host {str} NOT NULL, pid {int} NOT NULL, program {str} NOT NULL, settings {str} NOT NULL,
    sandbox {str} NOT NULL, started_ms {int} NOT NULL, ended_ms {int}, changed {str}, seal {bytes} NOT NULL,
    PRIMARY KEY (id)
)"""
_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA"},
}
_LAST = text("SELECT number, control FROM exhibit WHERE id = family ORDER BY number DESC LIMIT 1")
_KEEP = text("INSERT INTO case_info (key, value) VALUES ('control_prefix', :prefix)")


def upgrade(tx: Connection) -> None:
    """Older releases took the letters from the settings of each import: the last one's stay."""
    tx.exec_driver_sql(_RUN.format(**_TYPES[tx.dialect.name]))
    tx.exec_driver_sql("CREATE INDEX run_batch ON run (batch)")
    last = tx.execute(_LAST).first()
    tx.execute(_KEEP, {"prefix": last.control.removesuffix(f"{last.number:08d}") if last else "RW"})
