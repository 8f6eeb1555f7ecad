"""Text from evidence on a person's terminal."""


def printable(text: str) -> str:
    """One line without terminal controls: names in evidence may hold both."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
