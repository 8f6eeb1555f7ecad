"""A person at a terminal: who it is, and text from evidence on it."""

import getpass


def printable(text: str) -> str:
    """One line without terminal controls: names in evidence may hold both."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def who() -> str:
    """As the audit log names whoever types commands."""
    return f"{getpass.getuser()} (command line)"
