"""An entry as a document of OpenSearch: words cut by our own rules and parted by spaces. Used by the index adapter."""

from typing import Any

from redwell.core.search.checking import metadata_name
from redwell.core.search.fields import FIELDS, META, FieldType, FieldValue
from redwell.core.search.query_values import moment
from redwell.core.search.words import cleaned, lowered, words_of
from redwell.ports.search_index import Entry

LAYOUT = 4  # of the mapping and of what follows; any change means another one
EXHIBIT, FAMILY, PLACE, DIGEST, MAIN_FIELD = "exhibit", "head_of_family", "place", "digest", "main"
META_FIELD = META.removesuffix(".")
AS_WRITTEN_FIELD = "as_written"
KEY_END = "="  # between the name of metadata and each of its words: one field for all names, however many there are
_LONGEST = 32_766  # bytes of a word that Lucene takes; a longer one leaves its place empty
_NOTHING = "\u2026"


def document(entry: Entry) -> dict[str, Any]:
    """Fields that the table does not name become words of metadata, and so does a date that cannot be read."""
    built: dict[str, Any] = {
        EXHIBIT: entry.exhibit,
        FAMILY: entry.head,
        DIGEST: entry.digest,
        PLACE: place_key(entry.place),
        "text": _spaced(entry.text),
        MAIN_FIELD: [],
        META_FIELD: [],
        AS_WRITTEN_FIELD: {},
    }
    for name, value in entry.fields.items():
        key = metadata_name(name, value)
        if key is not None:
            built[META_FIELD].append(_spaced(" ".join(_texts(value)), key + KEY_END))
        else:
            _add(built, name, value)
    return built


def place_key(place: str) -> str:
    """The same order for any character, also for those that no text may hold."""
    return place.encode("utf-8", "surrogatepass").hex()


def _add(built: dict[str, Any], name: str, value: FieldValue) -> None:
    field = FIELDS[name]
    match field.type:
        case FieldType.TEXT:
            built[name] = [_spaced(each) for each in _texts(value)]
            if field.is_main:
                built[MAIN_FIELD] += built[name]
        case FieldType.KEYWORD:
            built[name] = [lowered(cleaned(each)) for each in _texts(value)]
        case FieldType.NUMBER:
            built[name] = value
        case FieldType.DATE:
            built[name] = moment(str(value))
    if field.is_counted:
        built[AS_WRITTEN_FIELD][name] = [cleaned(each) for each in _texts(value)]


def _spaced(text: str, before: str = "") -> str:
    words = words_of(text)
    if len(text) * 4 >= _LONGEST and any(len(word) * 4 >= _LONGEST for word in words):
        words = tuple(word if _fits(before + word) else _NOTHING for word in words)
        return " ".join(word if word == _NOTHING else before + word for word in words)
    return before + f" {before}".join(words) if words else ""


def _fits(word: str) -> bool:
    return len(word.encode()) <= _LONGEST


def _texts(value: FieldValue) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)
