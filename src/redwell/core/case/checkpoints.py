"""The checkpoints of an exhibit's load (SPEC D3): the last one reached is kept with it, and a load goes on behind it.

A case keeps them as numbers, so that it never has to be counted anew.
"""

from enum import IntEnum


class Checkpoint(IntEnum):
    STARTED = 1
    DUPLICATION = 2
    EXHIBIT = 3
    PAGES = 4
    TAGGINGS = 5
    BATCH_SOURCES = 6
    CUSTODIANS = 7
    AUDITS = 8
    FOLDERING = 9
    INDEX = 10
    COMPLETE = 11


# Its row and family are written in the transaction that registers the occurrence; its number comes with the load.
REGISTERED = 0
LOADED = Checkpoint.COMPLETE


def before(step: Checkpoint) -> int:
    """Where an exhibit is put back to, so that this step and what follows it are done again."""
    return step - 1
