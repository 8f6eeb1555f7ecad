"""Cells of tables that people open in spreadsheets. Pure."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_text(cell: str) -> str:
    """What comes from evidence may be meant for whoever opens the table (OWASP: CSV injection)."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
