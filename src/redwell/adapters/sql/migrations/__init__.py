"""The steps from one version of a case's tables to the next, by number. Called in the transaction that opens a case
for work (runtime.bootstrap.cases.upgrade).

A step is written once and stays as it is: it names tables, columns and seals as they were then, and imports none of
adapters.sql.tables, which has moved on. A new one is a module here, a line in STEPS and a raised VERSION.
"""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, select

from redwell.adapters.sql.migrations import (
    step_0005,
    step_0006,
    step_0007,
    step_0008,
    step_0009,
    step_0010,
    step_0011,
    step_0012,
    step_0013,
    step_0014,
    step_0015,
    step_0016,
    step_0017,
    step_0018,
    step_0019,
    step_0020,
    step_0021,
    step_0022,
    step_0023,
    step_0024,
    step_0025,
)
from redwell.adapters.sql.schema_version import VERSION
from redwell.adapters.sql.tables import case_info

STEPS: Mapping[int, Callable[[Connection], None]] = {
    5: step_0005.upgrade,
    6: step_0006.upgrade,
    7: step_0007.upgrade,
    8: step_0008.upgrade,
    9: step_0009.upgrade,
    10: step_0010.upgrade,
    11: step_0011.upgrade,
    12: step_0012.upgrade,
    13: step_0013.upgrade,
    14: step_0014.upgrade,
    15: step_0015.upgrade,
    16: step_0016.upgrade,
    17: step_0017.upgrade,
    18: step_0018.upgrade,
    19: step_0019.upgrade,
    20: step_0020.upgrade,
    21: step_0021.upgrade,
    22: step_0022.upgrade,
    23: step_0023.upgrade,
    24: step_0024.upgrade,
    25: step_0025.upgrade,
}


def version_of(tx: Connection) -> int:
    return int(tx.execute(select(case_info.c.value).where(case_info.c.key == "schema")).scalar_one())


def upgrade(tx: Connection) -> None:
    """Every step that the case has not had."""
    for number in range(version_of(tx) + 1, VERSION + 1):
        STEPS[number](tx)
        tx.execute(case_info.update().where(case_info.c.key == "schema").values(value=str(number)))
