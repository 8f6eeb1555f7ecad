"""A load file among other files: its text, what it is, and that its records are not in the case. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import BadInput
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.loadfiles.formats import edrm, lfp, opticon
from redwell.core.loadfiles.formats.encodings import FoundEncoding, decoded, find_encoding, repaired
from redwell.core.loadfiles.formats.probe import load_file_kind
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.sniff import LoadFileKind, find_dialect
from redwell.core.loadfiles.lines import Lines
from redwell.core.outcomes import Code
from redwell.handlers.structures.charset import usable

SPEC = HandlerSpec(name="loadfile", media_types=frozenset(), score=24, kind="loadfile")
_CHUNK, _HEAD = 1 << 20, 4096


def probe(head: bytes) -> bool:
    return load_file_kind(head) is not None


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The text as a reader of plain text would give it, so that nothing is missing until records are imported."""
    encoding = find_encoding(_chunks(source))
    kind = load_file_kind(next(_chunks(source), b"")[:_HEAD]) or LoadFileKind.DELIMITED
    count = _count(source, encoding, kind)
    values: dict[str, MetaValue] = {"encoding": encoding.encoding, "loadfile_kind": kind.value}
    yield Metadata(values={**values, **({"loadfile_rows": count} if count is not None else {})})
    left = options.max_text_chars
    for run in decoded(_chunks(source), encoding):
        yield Text(text=usable(repaired(run.replace("\r\n", "\n")))[:left])
        left -= len(run)
        if left < 0:
            yield Trouble(code=Code.LIMIT_REACHED, detail=f"text cut off at max_text_chars={options.max_text_chars}")
            break
    rows = f"{count:,} rows" if count is not None else "rows"
    detail = (
        f"a load file ({kind.value}) with {rows}: read as text; import its folder with --type loadfile for its records"
    )
    yield Trouble(code=Code.LOADFILE_AS_TEXT, detail=detail, partial=False)


def _chunks(source: Source) -> Iterator[bytes]:
    with source.open() as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _count(source: Source, encoding: FoundEncoding, kind: LoadFileKind) -> int | None:
    """Records or pages; None where they can't be counted, which the lint explains."""
    lines = Lines(decoded(_chunks(source), encoding))
    try:
        if kind is LoadFileKind.OPTICON:
            return sum(1 for _ in opticon.read_pages(lines))
        if kind is LoadFileKind.LFP:
            return sum(1 for _ in lfp.read_pages(lines))
        if kind is LoadFileKind.DII:
            return sum(line.startswith("@T ") for line in lines)
        if kind is LoadFileKind.EDRM:
            return len(edrm.read_documents(_chunks(source)))
        head = "".join(decoded([next(_chunks(source), b"")], encoding))
        found = find_dialect(head, cut=True)
        return sum(bool(row.values) for row in Rows(lines, found.dialect, found.width)) - found.header
    except BadInput:
        return None
