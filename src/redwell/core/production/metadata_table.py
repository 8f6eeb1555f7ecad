"""The columns of the spreadsheet that goes with an export. Pure."""

import json
from collections.abc import Mapping

from redwell.core.case.native_bytes import native_md5, native_sha256, native_size
from redwell.core.case.rows import OPEN, Exhibit
from redwell.core.spreadsheet_cells import as_text

_OWN = ("control_number", "parent", "family", "custodian", "path", "source", "name", "kind", "media_type", "outcome",
        "problems", "size", "pages", "text_chars", "md5", "sha256", "duplicate_of")  # fmt: skip
_TOLD = ("from", "to", "cc", "bcc", "subject", "date", "message_id", "title", "author", "last_modified_by", "created",
         "modified")  # fmt: skip
COLUMNS = (*_OWN, *_TOLD, "native", "text", "other_metadata")
_LONGEST = 32_000  # characters that a cell of a spreadsheet takes


def row_of(exhibit: Exhibit, controls: Mapping[int, str], native: str, text: str) -> dict[str, str]:
    """No cell is a formula to a spreadsheet. `controls` are the numbers of those that it may refer to."""
    metadata = {name: _shown(value) for name, value in exhibit.metadata.items()}
    row = {
        "control_number": exhibit.control_number,
        "parent": controls.get(exhibit.parent or 0, ""),
        "family": controls.get(exhibit.root, exhibit.control_number),
        "custodian": "; ".join(exhibit.custodians) or exhibit.custodian or "",
        "path": exhibit.path,
        "source": exhibit.source,
        "name": exhibit.name,
        "kind": exhibit.kind or "",
        "media_type": exhibit.media_type or "",
        "outcome": exhibit.outcome or OPEN,
        "problems": "; ".join(f"{problem.code}: {problem.detail}" for problem in exhibit.problems),
        "size": "" if (size := native_size(exhibit)) is None else str(size),
        "pages": "" if exhibit.pages is None else str(exhibit.pages),
        "text_chars": str(exhibit.text_chars),
        "md5": native_md5(exhibit),
        "sha256": own.hex() if (own := native_sha256(exhibit)) else "",
        "duplicate_of": controls.get(exhibit.duplicate_of or 0, ""),
        **{name: metadata.pop(name, "") for name in _TOLD},
        "native": native,
        "text": text,
        "other_metadata": json.dumps(metadata, ensure_ascii=False, sort_keys=True) if metadata else "",
    }
    return {name: as_text(_cell(value)) for name, value in row.items()}


def _shown(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _cell(value: str) -> str:
    plain = value.encode("utf-8", "replace").decode()
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}…"
