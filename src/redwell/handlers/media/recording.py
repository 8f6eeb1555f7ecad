"""Handler for sound and film: length and tags; their content is UNSUPPORTED. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code

_SOUND = "mpeg mp4 wav ogg flac aiff amr silk basic midi".split()
_FILM = "mp4 quicktime x-matroska x-ms-asf x-msvideo x-flv mpeg ogg 3gpp".split()
SPEC = HandlerSpec(
    name="recording",
    media_types=frozenset((*("audio/" + kind for kind in _SOUND), *("video/" + kind for kind in _FILM))),
    kind="recording",
)
_NUMBERS = {
    "duration": "duration_s",
    "bitrate": "bit_rate_kbps",
    "samplerate": "sample_rate_hz",
    "channels": "channels",
}
_TAGS = {
    "title": "title",
    "artist": "author",
    "album": "album",
    "composer": "composer",
    "genre": "genre",
    "year": "recorded",
    "comment": "comments",
    "encoded_by": "application",
}


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """What the file says of itself; then `Unsupported`, because nobody listens to it here."""
    try:
        yield Metadata(values=_tags(source))
    except _unknown_format():
        pass  # a container that has no tags we know; its type alone is told
    except Exception as error:  # the library lets whatever a damaged file provokes through
        detail = f"tinytag: {type(error).__name__}: {error}"
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=detail, partial=False)
    raise Unsupported(f"{options.media_type}: a recording has no text of its own")


def _unknown_format() -> type[Exception]:
    from tinytag import UnsupportedFormatError

    return UnsupportedFormatError


def _tags(source: Source) -> dict[str, MetaValue]:
    from tinytag import TinyTag

    with source.open() as file:
        found: dict[str, Any] = TinyTag.get(file_obj=file).as_dict()
    values: dict[str, MetaValue] = {}
    for key, name in _NUMBERS.items():
        if isinstance(found.get(key), int | float):
            values[name] = round(found[key], 3)
    for key, name in _TAGS.items():
        texts = [str(text).strip() for text in found.get(key) or []]
        if any(texts):
            values[name] = "; ".join(dict.fromkeys(filter(None, texts)))
    return values
