"""The schema of a case's index, and an entry as a document of it. Used by the index adapter."""

from tantivy import Document, Index, Schema, SchemaBuilder

from redwell.adapters.tantivy.words import cleaned, spaced, whole, words
from redwell.core.query import FIELDS, MAIN, META, Cut, metadata_key
from redwell.ports.search_index import Entry

EXHIBIT = "exhibit"
DIGEST = "digest"
MAIN_FIELD = "main"  # the main fields once more, so that a word without a field is looked up twice, not ten times
META_FIELD = META.removesuffix(".")
_WORDS, _WHOLE = "words", "whole"


def schema() -> Schema:
    """Everything can be found, nothing but the digest is stored: the texts are in the blob store."""
    builder = SchemaBuilder()
    # Signed: on an unsigned field tantivy's delete by term deletes nothing and says nothing.
    builder.add_integer_field(EXHIBIT, indexed=True, fast=True)
    builder.add_bytes_field(DIGEST, stored=True)
    builder.add_text_field(MAIN_FIELD, tokenizer_name=_WORDS)
    builder.add_json_field(META_FIELD, tokenizer_name=_WORDS)
    for name, cut in FIELDS.items():
        if cut is Cut.WORDS:
            builder.add_text_field(name, tokenizer_name=_WORDS)
        else:
            builder.add_text_field(name, tokenizer_name=_WHOLE, index_option="basic")
    return builder.build()


def register_tokenizers(index: Index) -> None:
    index.register_tokenizer(_WORDS, words())
    index.register_tokenizer(_WHOLE, whole())


def document(entry: Entry) -> Document:
    """Fields that docs/search.md does not name become meta.<name>."""
    built = Document()
    built.add_integer(EXHIBIT, entry.exhibit)
    built.add_bytes(DIGEST, entry.digest.encode())
    built.add_text("text", spaced(entry.text))
    meta: dict[str, str] = {}
    for name, value in entry.fields.items():
        cut = FIELDS.get(name)
        if cut is None:
            key = metadata_key(name.removeprefix(META))
            # The space keeps tantivy from taking a string for a date, which no word would find.
            meta[key] = f"{meta.get(key, '')} {spaced(value)}"
        elif cut is Cut.WORDS:
            value = spaced(value)
            built.add_text(name, value)
            if name in MAIN:
                built.add_text(MAIN_FIELD, value)
        else:
            built.add_text(name, cleaned(value))
    if meta:
        built.add_json(META_FIELD, meta)
    return built
