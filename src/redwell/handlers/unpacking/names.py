"""The names of members as paths that lead nowhere, and comments as text. Used by the archive handlers in a child."""

from redwell.handlers.structures.charset import guess


def readable_path(told: str, index: int) -> str:
    """A relative path for people to read; it can lead nowhere outside and is never empty."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in told.replace("\\", "/"))
    steps = [step for step in shown.split("/") if step not in ("", ".", "..")]
    return "/".join(steps) or f"member {index}"


def decoded(name: bytes) -> str:
    """A name of unknown encoding: UTF-8 where it is valid, else what its letters look like."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode(guess(name), "replace")


def readable_comment(said: bytes) -> str:
    """What the packer wrote about an archive; some end it with a zero."""
    return decoded(said.partition(b"\0")[0]).replace("\r\n", "\n").strip()
