"""How much room a case will take for a file, by its name and size: all that is known before it is read. Pure.

Measured (docs/settings.md has the numbers): a mail store is kept, and so is each of its messages, with its text and
its entry in the index; a text is kept, and once more as text and entry. Of all else the bytes are nearly everything.
"""

from pathlib import PurePosixPath

ROWS = 2_048  # of a file in the ledger and the index, whatever its size
_OTHERS = 1.05
_FACTORS = {
    4.0: "pst ost mbox mbx olm",
    2.0: "zip rar 7z tar gz tgz bz2 xz cab iso wim",
    1.75: "txt csv tsv log json xml html htm md rtf eml emlx msg",
}
_BY_ENDING = {f".{ending}": factor for factor, endings in _FACTORS.items() for ending in endings.split()}


def space_for(name: str, size: int) -> int:
    """Bytes that a case grows by, all in all."""
    return int(size * _BY_ENDING.get(PurePosixPath(name).suffix.lower(), _OTHERS)) + ROWS
