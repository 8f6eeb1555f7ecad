"""RTF: the right characters in every code page, and what hangs beside the text."""

import struct
from pathlib import Path

import pytest
from tests.support.office_files import packaged_file
from tests.support.pieces import read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Outcome
from redwell.handlers.word import word

pytestmark = pytest.mark.requirement("A6")


def _rtf(body: str) -> bytes:
    return b"{\\rtf1\\ansi\\ansicpg1252 " + body.encode("ascii") + b"}"


def test_marks_become_characters_and_unknown_destinations_are_left_out(tmp_path: Path) -> None:
    body = r"One\par two\tab three \{x\}\~\emdash\rquote{\*\unknown secret}{\colortbl;\red0;}\line end"
    assert read(word, _rtf(body), tmp_path).text == "One\ntwo\tthree {x}\u00a0\u2014\u2019\nend"


def test_a_watermark_is_text_and_other_properties_of_shapes_are_not(tmp_path: Path) -> None:
    settings = (
        r"{\sp{\sn gtextFont}{\sv Calibri}}{\sp{\sn gtextUNICODE}{\sv Dra\u102?t}}{\sp{\sn fillColor}{\sv 12632256}}"
    )
    body = r"{\header{\shp{\*\shpinst\shpleft0" + settings + r"}}Head\par}Body\par"
    assert read(word, _rtf(body), tmp_path).text.split() == ["Body", "Draft", "Head"]


def test_a_comment_says_who_made_it_and_parts_no_word(tmp_path: Path) -> None:
    comment = r"{\*\atnid JR}{\*\atnauthor Jane Roe}\chatn{\*\annotation{\*\atnref 5}\pard Why?}"
    text = read(word, _rtf(rf"agree{comment}ment\par Next{{\footnote note}}"), tmp_path).text
    assert text == "agreement\nJane Roe: Why?\nNextnote\n"


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [(204, "cp1251", "Договор"), (128, "cp932", "契約書ソ"), (238, "cp1250", "zażółć"), (136, "big5", "合約")],
)
def test_each_font_has_its_own_code_page(charset: int, codec: str, text: str, tmp_path: Path) -> None:
    escaped = "".join(f"\\'{byte:02x}" for byte in text.encode(codec))
    fonts = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset" + str(charset) + " Other;}}"
    assert read(word, _rtf(fonts + r"\f1 " + escaped + r"\f0  caf\'e9"), tmp_path).text == f"{text} café"


def test_unicode_wins_over_its_stand_in_and_pairs_are_joined(tmp_path: Path) -> None:
    body = r"\u269?\uc2\u12371\'82\'b1\uc0\u55296\u57138 \uc1 lone \u55296? end"
    assert read(word, _rtf(body), tmp_path).text == "č\u3053\U00010332lone \ufffd end"


def test_notes_headers_and_boxes_follow_the_paragraph_they_hang_on(tmp_path: Path) -> None:
    body = r"{\header Draft\par}one {\footnote A note.}sentence{\shp{\*\shpinst{\shptxt In a box}}}\par next"
    assert read(word, _rtf(body), tmp_path).text == "one sentence\nDraft\nA note.\nIn a box\nnext"


def test_properties_hidden_and_changed_words_are_noticed(tmp_path: Path) -> None:
    info = r"{\info{\title Lease}{\author Ren\'e9}{\creatim\yr2020\mo3\dy4\hr5\min6}}"
    values = read(word, _rtf(info + r"{\v hidden}{\deleted gone}{\*\annotation Why?}"), tmp_path).metadata
    assert (values["title"], values["author"], values["created"]) == ("Lease", "René", "2020-03-04T05:06:00")
    assert values["has_hidden"] and values["has_tracked_changes"] and values["has_comments"]


def test_a_picture_in_binary_is_stepped_over(tmp_path: Path) -> None:
    data = b"{\\rtf1 before{\\pict\\bin6 }}}{{{} after}"
    assert read(word, data, tmp_path).text == "before after"


def test_packaged_files_are_children_and_cut_off_ones_are_lost(tmp_path: Path) -> None:
    package = packaged_file("minutes.txt", b"agreed")[4:]
    header = struct.pack("<II", 0x501, 2) + struct.pack("<I", 8) + b"Package\0" + bytes(8)
    whole = (header + struct.pack("<I", len(package)) + package).hex()
    begin = r"{\object\objemb{\*\objclass Package}{\*\objdata "
    body = begin + whole + "}}" + begin + whole[:40] + "}}"
    pieces = read(word, _rtf(body), tmp_path)
    assert (pieces.declared, pieces.names, pieces.contents["obj:0"]) == (2, ["minutes.txt"], b"agreed")
    assert pieces.lost["obj:1"].outcome is Outcome.INVALID_FILE


def test_unbalanced_braces_lose_no_words(tmp_path: Path) -> None:
    assert read(word, b"{\\rtf1 one}} two {\\b three", tmp_path).text == "one two three"


def test_braces_without_end_are_an_invalid_file_not_a_crash(tmp_path: Path) -> None:
    assert isinstance(read(word, b"{\\rtf1 " + b"{" * 100_000, tmp_path).error, InvalidFile)


def test_a_property_that_is_given_twice_is_taken_in_unicode_and_its_date_has_no_zone(tmp_path: Path) -> None:
    title = r"{\upr{\title ??}{\*\ud{\title \u26481\'3f\u20140\'3f}}}"
    values = read(
        word, _rtf(r"{\info" + title + r"{\comment StarWriter}{\creatim\yr2004\mo10\dy28}}"), tmp_path
    ).metadata
    assert (values["title"], values["comments"]) == ("東京", "StarWriter")
    assert (values["created"], values["created_has_zone"]) == ("2004-10-28T00:00:00", False)
