"""The schema of a case's index, and an entry as a document of it. Used by the index adapter.

Any change here means another LAYOUT: an index of another one is made anew.
"""

from binascii import b2a_base64
from bisect import bisect_right
from functools import lru_cache
from typing import Any

import msgspec
from tantivy import Index, Schema, SchemaBuilder

from redwell.adapters.tantivy.words import unchanged, whole, words
from redwell.core.search.fields import AS_WRITTEN, FIELDS, META, Field, FieldType, FieldValue, metadata_key
from redwell.core.search.query_values import moment
from redwell.core.search.words import cleaned, spaced
from redwell.ports.search_index import Entry

LAYOUT = 7
EXHIBIT = "exhibit"
FAMILY = "head_of_family"
DIGEST = "digest"
PLACE = "place"  # of the exhibit among all others, by its control number
PLACE_ORDER = "place_order"  # the same, roughly, as a number
_ORDERED = 11  # characters that it tells of
_ROUGH = "\0.:[`"  # each stands for itself and all up to the next
_STEPS = sorted("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_" + _ROUGH)
_RANKS = {char: rank for rank, char in enumerate(_STEPS, start=1) if char not in _ROUGH}
_BASE = len(_STEPS) + 1
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
    builder.add_integer_field(PLACE_ORDER, fast=True)
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


def order_of(place: str) -> int:
    """Never larger than that of a place that comes later; rough from the first sign on that is unusual in numbers."""
    number, left = 0, _ORDERED
    for char in place[:_ORDERED]:
        left -= 1
        rank = _RANKS.get(char)
        if rank is None:
            number = number * _BASE + bisect_right(_STEPS, char)
            break
        number = number * _BASE + rank
    return number * int(_BASE**left)


def document(entry: Entry) -> str:
    """As JSON, which tantivy reads in less time than a call for each field takes.

    Fields that the table does not name become meta.<name>, and so does a date that cannot be read.
    """
    main, meta = list[str](), dict[str, str]()
    known: dict[str, FieldValue | list[str] | dict[str, str]] = {
        EXHIBIT: entry.exhibit,
        FAMILY: entry.head,
        DIGEST: b2a_base64(entry.digest.encode(), newline=False).decode(),
        PLACE: place_key(entry.place),
        PLACE_ORDER: order_of(entry.place),
        "text": spaced(entry.text),
        MAIN_FIELD: main,
        META_FIELD: meta,
    }
    for name, value in entry.fields.items():
        if (cut := _CUTS.get(name)) is not None:
            if type(value) is str and value.isascii():  # nearly all of them
                known[name] = value
                if name in _MAIN:
                    main.append(value)
            else:
                known[name] = texts = [*map(cut, _texts(value))]
                if name in _MAIN:
                    main += texts
        elif (number := _number(name, value)) is not None:
            known[name] = number
        else:
            key = _meta_key(name)
            # The space keeps tantivy from taking a string for a date, which no word would find.
            meta[key] = f"{meta.get(key, '')} {spaced(' ; '.join(_texts(value)))}"
    return _encode(known).decode()


@lru_cache(maxsize=4096)
def _meta_key(name: str) -> str:
    return metadata_key(name.removeprefix(META)) + (AS_WRITTEN if name in FIELDS else "")


def _number(name: str, value: FieldValue) -> int | None:
    """Of a date its second; None where the field has no numbers, or the value is none."""
    if isinstance(value, int):
        return value if name in _NUMBERS else None
    return _moment(value) if name in _DATES and isinstance(value, str) else None


def _texts(value: FieldValue) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _named(*types: FieldType) -> list[str]:
    return [name for name, field in FIELDS.items() if field.type in types]


_encode = msgspec.json.Encoder().encode
_moment = lru_cache(maxsize=4096)(moment)  # a family has one date, which each of it is sorted by
_CUTS = dict.fromkeys(_named(FieldType.TEXT), spaced) | dict.fromkeys(_named(FieldType.KEYWORD), cleaned)
_NUMBERS, _DATES = set(_named(FieldType.NUMBER, FieldType.DATE)), set(_named(FieldType.DATE))
_MAIN = {name for name, field in FIELDS.items() if field.is_main}
