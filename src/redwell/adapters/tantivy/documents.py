"""The schema of a case's index, and an entry as a document of it. Used by the index adapter.

Any change here means another LAYOUT: an index of another one is made anew.
"""

from typing import Any

from tantivy import Document, Index, Schema, SchemaBuilder

from redwell.adapters.tantivy.words import unchanged, whole, words
from redwell.core.search.fields import AS_WRITTEN, FIELDS, META, Field, FieldType, FieldValue, metadata_key
from redwell.core.search.query_values import moment
from redwell.core.search.words import cleaned, spaced
from redwell.ports.search_index import Entry

LAYOUT = 5
EXHIBIT = "exhibit"
FAMILY = "head_of_family"
DIGEST = "digest"
PLACE = "place"  # of the exhibit among all others, by its control number
MAIN_FIELD = "main"  # the main fields once more, so that a word without a field is looked up twice, not ten times
META_FIELD = META.removesuffix(".")
_WORDS, _WHOLE = "words", "whole"


def schema() -> Schema:
    """Everything can be found, only digest and place are stored: the texts are in the blob store."""
    builder = SchemaBuilder()
    # Signed: on an unsigned field tantivy's delete by term deletes nothing and says nothing.
    builder.add_integer_field(EXHIBIT, indexed=True, fast=True)
    builder.add_integer_field(FAMILY, indexed=True, fast=True)
    builder.add_bytes_field(DIGEST, stored=True)
    builder.add_text_field(PLACE, stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(MAIN_FIELD, tokenizer_name=_WORDS)
    builder.add_json_field(META_FIELD, tokenizer_name=_WORDS)
    for name, field in FIELDS.items():
        _add_field(builder, name, field)
    return builder.build()


def _add_field(builder: SchemaBuilder, name: str, field: Field) -> None:
    match field.type:
        case FieldType.TEXT:
            builder.add_text_field(name, tokenizer_name=_WORDS, fast=field.is_counted)
        case FieldType.KEYWORD:
            builder.add_text_field(name, tokenizer_name=_WHOLE, index_option="basic", fast=field.is_counted)
        case FieldType.DATE | FieldType.NUMBER:
            # Dates too: tantivy's own cannot hold what lies before 1677 or after 2262.
            builder.add_integer_field(name, fast=True)


def as_written(fields: Schema) -> Any:
    """What tantivy writes of a schema beside its list of segments; pickle has it in the same shape."""
    return fields.__reduce__()[1][0]["inner"]  # type: ignore[index]


def register_tokenizers(index: Index) -> None:
    index.register_tokenizer(_WORDS, words())
    index.register_tokenizer(_WHOLE, whole())
    for name in (_WORDS, _WHOLE):  # values are counted as they are written
        index.register_fast_field_tokenizer(name, unchanged())


def place_key(place: str) -> str:
    """Hexadecimal: the only strings that a range can be asked of without being misread, in the same order."""
    return place.encode("utf-8", "surrogatepass").hex()


def document(entry: Entry) -> Document:
    """Fields that the table does not name become meta.<name>, and so does a date that cannot be read."""
    built = Document()
    built.add_integer(EXHIBIT, entry.exhibit)
    built.add_integer(FAMILY, entry.head)
    built.add_bytes(DIGEST, entry.digest.encode())
    built.add_text(PLACE, place_key(entry.place))
    built.add_text("text", spaced(entry.text))
    meta: dict[str, str] = {}
    for name, value in entry.fields.items():
        add = _ADDERS.get(name)
        if add is None or not add(built, name, value):
            key = metadata_key(name.removeprefix(META)) + (AS_WRITTEN if add else "")
            # The space keeps tantivy from taking a string for a date, which no word would find.
            meta[key] = f"{meta.get(key, '')} {spaced(' ; '.join(_texts(value)))}"
    if meta:
        built.add_json(META_FIELD, meta)
    return built


def _add_words(built: Document, name: str, value: FieldValue) -> bool:
    for each in _texts(value):
        built.add_text(name, spaced(each))
    return True


def _add_main_words(built: Document, name: str, value: FieldValue) -> bool:
    for each in _texts(value):
        cut = spaced(each)
        built.add_text(name, cut)
        built.add_text(MAIN_FIELD, cut)
    return True


def _add_keywords(built: Document, name: str, value: FieldValue) -> bool:
    for each in _texts(value):
        built.add_text(name, cleaned(each))
    return True


def _add_number(built: Document, name: str, value: FieldValue) -> bool:
    if isinstance(value, int):
        built.add_integer(name, value)
    return isinstance(value, int)


def _add_date(built: Document, name: str, value: FieldValue) -> bool:
    seconds = moment(value) if isinstance(value, str) else None
    return seconds is not None and _add_number(built, name, seconds)


def _texts(value: FieldValue) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


_OF_TYPE = {
    FieldType.TEXT: _add_words,
    FieldType.KEYWORD: _add_keywords,
    FieldType.NUMBER: _add_number,
    FieldType.DATE: _add_date,
}
_ADDERS = {name: _add_main_words if field.is_main else _OF_TYPE[field.type] for name, field in FIELDS.items()}
