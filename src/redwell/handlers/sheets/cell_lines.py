"""Tables as text, for the handlers of spreadsheets and databases: cells are parted by tabs. Runs in a child."""

from collections.abc import Callable, Iterable, Iterator

from redwell.core.handler import Piece, Text

_ROWS_A_RUN = 500


def cell_lines(rows: Iterable[Iterable[str]], told: Callable[[int], None] = lambda _number: None) -> Iterator[Piece]:
    """Rows as lines; empty rows and the empty cells at a row's end are left out. `told` hears which rows are lines.

    Where the table turns out to be damaged, the rows before come out first.
    """
    run: list[str] = []
    try:
        for number, row in enumerate(rows, 1):
            line = "\t".join(cell.replace("\t", " ").replace("\r", " ").replace("\n", " ") for cell in row).rstrip()
            if line:
                run.append(line + "\n")
                told(number)
            if len(run) >= _ROWS_A_RUN:
                yield Text(text="".join(run))
                run.clear()
    except Exception:
        yield Text(text="".join(run))
        raise
    if run:
        yield Text(text="".join(run))
