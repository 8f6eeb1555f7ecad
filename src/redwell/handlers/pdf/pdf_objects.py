"""Objects of a PDF taken as what they should be: a writer may have put anything in their place. Runs in a child."""

import re
from typing import Any

_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")


def dictionary(value: Any) -> Any:
    """The dictionary (also that of a stream), or an empty one."""
    import pikepdf

    return value if isinstance(value, pikepdf.Dictionary | pikepdf.Stream) else {}


def array(value: Any) -> list[Any]:
    """The items of an array, or none."""
    import pikepdf

    return list(value) if isinstance(value, pikepdf.Array) else []


def is_stream(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Stream)


def text(value: Any) -> str:
    """A string's text, or a text stream's; empty for all else."""
    import pikepdf

    if isinstance(value, pikepdf.Stream):
        said = value.read_bytes().decode("utf-8", "replace")
    else:
        said = str(value) if isinstance(value, pikepdf.String | str) else ""
    return said.replace("\r\n", "\n").replace("\r", "\n").strip("\0 \n")


def name(value: Any) -> str:
    """A name without its slash; writers encode names as they please. Empty for all else."""
    import pikepdf

    if not isinstance(value, pikepdf.Name):
        return ""
    raw = _ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), value.unparse().removeprefix(b"/"))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
