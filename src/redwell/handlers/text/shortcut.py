"""Windows shortcuts (LNK): where they lead, as text and fields. Runs in a child.

They show that somebody opened a file, even where the file or its disk is gone.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text
from redwell.handlers.text import shell_link

SPEC = HandlerSpec(name="shortcut", media_types=frozenset(("application/x-ms-shortcut",)), kind="other")
_SHOWN = {
    "target": "Target",
    "target_arguments": "Arguments",
    "target_folder": "Start in",
    "description": "Comment",
    "target_volume": "Volume",
    "target_machine": "Computer",
}


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    found = shell_link.read(source.read())
    told: dict[str, MetaValue] = {
        "target": found.target,
        "target_arguments": found.strings.get("arguments", ""),
        "target_folder": found.strings.get("folder", ""),
        "description": found.strings.get("description", ""),
        "target_created": found.created,
        "target_modified": found.modified,
        "target_accessed": found.accessed,
        "target_size": found.size,
        "target_volume": found.volume,
        "target_machine": found.machine,
        "target_network_card": found.network_card,
    }
    values = {name: value for name, value in told.items() if value}
    yield Metadata(values=values)
    text = "".join(f"{label}: {values[name]}\n" for name, label in _SHOWN.items() if name in values)
    yield Text(text=text[: options.max_text_chars])
