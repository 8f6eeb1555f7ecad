"""Lists as JSON: fast, and the same values as ever."""

import json

from hypothesis import given
from hypothesis import strategies as st

from redwell.entrypoints.cli.output.json_lines import json_line

_texts = st.text(alphabet=st.characters(exclude_categories=[])) | st.sampled_from(["ü\udcff", "東京😀", "\x00\u2028"])
_values = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _texts


@given(st.dictionaries(_texts, _values | st.lists(_values)))
def test_a_line_holds_the_value_in_ascii_whatever_a_name_consists_of(value: dict[str, object]) -> None:
    line = json_line(value)
    assert line.isascii() and "\n" not in line
    assert json.loads(line) == value
