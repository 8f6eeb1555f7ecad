"""EDRM XML is read as written, and says which record belongs to which."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.errors import InvalidFile
from redwell.core.loadfiles.formats.edrm import EdrmDocument, read_documents, write_documents

LETTERS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12)


@given(values=st.lists(LETTERS | st.sampled_from(["a\nb", "\t\r\n", "<&>\"'"]), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_documents_are_read_as_written(values: list[str]) -> None:
    fields = {f"tag {number}": value for number, value in enumerate(values) if value}
    made = [
        EdrmDocument(id="A1", fields={**fields, "nativepath": "N\\A1.doc"}),
        EdrmDocument(id="A2", fields={"subject": "x"}, parent="A1"),
    ]
    data = "".join(write_documents(made)).encode()
    back = read_documents([data[:50], data[50:]])
    assert [(each.id, each.fields, each.parent) for each in back] == [(e.id, e.fields, e.parent) for e in made]


@pytest.mark.parametrize(
    "text",
    ["<Root>", "<a>" * 100, '<?xml version="1.0" encoding="UT-F"?><a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
)
def test_what_is_no_sound_xml_is_refused(text: str) -> None:
    with pytest.raises(InvalidFile, match="line 1"):
        read_documents([text.encode()])
