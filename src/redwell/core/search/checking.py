"""Whether an exhibit has what an index could only narrow down. Pure; asked by every index."""

from collections.abc import Iterator, Mapping

from redwell.core.search.fields import AS_WRITTEN, FIELDS, META, SIDE_BY_SIDE, FieldType, FieldValue, metadata_key
from redwell.core.search.positions import Positions, Wording
from redwell.core.search.query import Near, Words, field_of
from redwell.core.search.query_values import moment
from redwell.core.search.stems import Stems
from redwell.core.search.words import words_of

_TEXT = "text"


class Check:
    """Made once per part of a query, asked once per exhibit."""

    def __init__(self, part: Words | Near, stems: Stems | None) -> None:
        self._part, self._positions = part, Positions(stems)
        self._field = field_of(part)

    def fits(self, text: str, fields: Mapping[str, FieldValue]) -> bool:
        return any(self._positions.stands_in(self._part, Wording(words)) for words in self._wordings(text, fields))

    def _wordings(self, text: str, fields: Mapping[str, FieldValue]) -> Iterator[list[str]]:
        """Of each field that is looked at by itself: nothing is near a word of another one."""
        if self._field in {"", _TEXT}:
            yield list(words_of(text))
        if self._field.startswith(META):
            yield list(_metadata_words(self._field.removeprefix(META), fields))
        elif self._field != _TEXT:
            for name in (self._field,) if self._field else SIDE_BY_SIDE:
                if name in fields:
                    yield list(_words_of_values(fields[name]))


def _words_of_values(value: FieldValue) -> Iterator[str]:
    """Between two values of a field there is a place where nothing stands."""
    for number, each in enumerate(value if isinstance(value, tuple) else (str(value),)):
        if number:
            yield ""
        yield from words_of(each)


def _metadata_words(key: str, fields: Mapping[str, FieldValue]) -> Iterator[str]:
    for name, value in fields.items():
        if metadata_name(name, value) == key:
            for each in value if isinstance(value, tuple) else (str(value),):
                yield from words_of(each)


def metadata_name(name: str, value: FieldValue) -> str | None:
    """What a value is metadata under: not named by the table, or a date or number that cannot be read."""
    field = FIELDS.get(name)
    if field is None:
        return metadata_key(name.removeprefix(META))
    is_unread = (field.type is FieldType.NUMBER and not isinstance(value, int)) or (
        field.type is FieldType.DATE and not (isinstance(value, str) and moment(value) is not None)
    )
    return metadata_key(name) + AS_WRITTEN if is_unread else None
