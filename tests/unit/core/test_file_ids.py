"""Names of files, and signed links to them: pure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.access.links import LONGEST_S, Link, is_good, signature
from redwell.core.errors import NotFound
from redwell.core.viewing.file_ids import FileId, short


@given(st.sets(st.integers(1, 2**40), min_size=1, max_size=50))
@pytest.mark.requirement("E3")
def test_a_name_is_read_back_as_it_was(exhibits: set[int]) -> None:
    made = FileId(3, 7, "ab" * 16, tuple(sorted(exhibits)))
    assert FileId.read(str(made)) == made


def test_neighbours_are_short() -> None:
    assert short(range(1000, 1900)) == "rs.oz"
    assert short([5, 6, 7, 40]) == "5.2-x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "document_1_1_zz_1",
        f"document_1_1_{'a' * 32}_",
        f"document_1_1_{'a' * 32}_0",
        f"document_1_1_{'a' * 32}_1.zzzz",
        f"document_1_1_{'a' * 32}_../x",
    ],
)
def test_what_is_no_name_is_a_file_that_there_is_not(text: str) -> None:
    with pytest.raises(NotFound):
        FileId.read(text)


def test_nothing_of_a_link_can_be_changed() -> None:
    link = Link(file="document_1_1_a_1", ext="pdf", account=1, ends_s=1000)
    good = signature(b"key", link)
    assert is_good(b"key", link, good, now_s=999)
    assert not is_good(b"key", link, good, now_s=1000)
    assert not is_good(b"key", link, good, now_s=1000 - LONGEST_S - 1)
    assert not is_good(b"other", link, good, now_s=999)
    for changed in ({"file": "document_2_1_a_1"}, {"ext": "native"}, {"account": 2}, {"ends_s": 1001}):
        values = {"file": link.file, "ext": link.ext, "account": link.account, "ends_s": link.ends_s, **changed}
        assert not is_good(b"key", Link(**values), good, now_s=999)  # type: ignore[arg-type]
