"""Commands that people are told to type next; whatever prints one makes it here, so that it can be pasted as it is."""

import shlex


def command_line(verb: str, case: str, *more: object) -> str:
    """`redwell VERB --case CASE …`, safe to paste into a shell whatever the case is called."""
    named = [f"--case={case}"] if case.startswith("-") else ["--case", case]
    return shlex.join(["redwell", *verb.split(), *named, *map(str, more)])
