"""File names as text: any bytes come back as they were, and no two names become one."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.names import display, quoted, unquoted

# what file systems hold: mostly UTF-8, sometimes other encodings, percent signs and control characters
paths = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from([b"%", b"%25", b"%41", b"/", b"a", b"\xff", b"\xc3\xa9", b"e\xcc\x81", b"\n"])).map(
        b"".join
    ),
)
thorough = settings(max_examples=150, deadline=None, derandomize=True)


@given(paths)
@thorough
def test_any_path_comes_back_from_its_quoted_form(path: bytes) -> None:
    assert unquoted(quoted(path)) == path


@given(st.lists(paths, max_size=8, unique=True))
@thorough
def test_no_two_paths_have_the_same_quoted_form(several: list[bytes]) -> None:
    assert len({quoted(path) for path in several}) == len(several)


@given(paths)
@thorough
def test_a_quoted_path_can_be_written_into_any_file(path: bytes) -> None:
    """Neither a database nor a terminal takes half a surrogate."""
    quoted(path).encode("utf-8")
    display(path).encode("utf-8")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="%"), max_size=40))
@thorough
def test_a_readable_name_is_quoted_and_shown_as_it_is(name: str) -> None:
    assert quoted(name.encode()) == display(name.encode()) == name


@given(paths)
@thorough
def test_a_name_is_shown_the_same_as_bytes_and_as_python_decodes_it(path: bytes) -> None:
    assert display(os.fsdecode(path)) == display(path)


def test_bytes_that_are_no_utf_8_can_be_read_off_the_name() -> None:
    latin = "Übergröße".encode("latin-1")
    assert quoted(b"100% " + latin) == "100%25 %DCbergr%F6%DFe"
    assert display(latin) == "\\xdcbergr\\xf6\\xdfe"


def test_composed_and_decomposed_letters_stay_apart() -> None:
    assert quoted("é".encode()) != quoted("e\u0301".encode())
