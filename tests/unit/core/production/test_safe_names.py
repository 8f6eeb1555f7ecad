"""Names of files that go out."""

import pytest

from redwell.core.production.safe_names import UniqueNames, safe_part, safe_path


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.docx", "report.docx"),
        ("a/b\\c:d*.txt", "a_b_c_d_.txt"),
        ("CON.txt", "_CON.txt"),
        ("..", "_"),
        (".hidden", "_.hidden"),
        ("trailing. ", "trailing"),
        ("line\nbreak\x00.txt", "line_break_.txt"),
        ("gpj.\u202eexe", "gpj._exe"),
        ("", "_"),
    ],
)
def test_a_name_is_made_safe_for_every_system(name: str, safe: str) -> None:
    assert safe_part(name) == safe


def test_a_long_name_keeps_its_ending() -> None:
    made = safe_part("ä" * 300 + ".xlsx")
    assert len(made.encode()) <= 100 and made.endswith("ä.xlsx")


def test_no_path_leads_out_and_members_have_a_folder_beside_their_file() -> None:
    assert safe_path("../../etc/passwd") == "_/_/etc/passwd"
    assert safe_path("mail/july.zip//in/report.doc//x.png") == "mail/july.zip_members/in/report.doc_members/x.png"


def test_no_name_is_given_twice() -> None:
    names = UniqueNames()
    made = [names.take(path, mark) for path, mark in (("a/B.txt", "1"), ("a/b.txt", "2"), ("a/b.txt", "2"), ("c", "3"))]
    assert made == ["a/B.txt", "a/b (2).txt", "a/b (2) (2-2).txt", "c"]
