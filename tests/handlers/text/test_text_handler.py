"""Text in any encoding comes out in the right characters."""
# ruff: noqa: RUF001 - letters of other scripts are what is tested

from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.core.errors import Empty
from redwell.core.outcomes import Code
from redwell.handlers.text import text

pytestmark = pytest.mark.requirement("A6")

LETTERS = {
    "russian": "Уважаемые коллеги, прошу согласовать договор поставки до конца этой недели. Спасибо за помощь.",
    "greek": "Αγαπητοί συνάδελφοι, παρακαλώ να εγκρίνετε τη σύμβαση πριν από το τέλος της εβδομάδας.",
    "hebrew": "עמיתים יקרים, אנא אשרו את החוזה עד סוף השבוע. תודה רבה על העזרה שלכם בנושא הזה.",
    "turkish": "Değerli çalışma arkadaşları, lütfen sözleşmeyi hafta sonuna kadar onaylayınız. Teşekkür ederim.",
    "czech": "Vážení kolegové, prosím schvalte smlouvu do konce týdne. Děkuji vám předem za vaši pomoc.",
    "french": "Chers collègues, merci d’approuver le contrat d’ici à la fin de la semaine. À très bientôt.",
    "japanese": "お疲れさまです。今週末までに契約書の内容を確認してください。よろしくお願いいたします。",
    "chinese": "各位同事，请在本周末之前审核并批准这份供货合同，谢谢大家的支持。",
    "taiwanese": "各位同事，請在本週末之前審核並批准這份供貨合約，謝謝大家的支持。",
    "korean": "동료 여러분, 이번 주말까지 공급 계약서를 검토하고 승인해 주시기 바랍니다. 감사합니다.",
}


@pytest.mark.parametrize(
    ("letter", "encoding"),
    [
        *(("russian", encoding) for encoding in ("cp1251", "koi8-r", "cp866", "iso8859-5", "utf-8")),
        *(("greek", encoding) for encoding in ("cp1253", "iso8859-7")),
        *(("hebrew", encoding) for encoding in ("cp1255", "iso8859-8")),
        *(("turkish", encoding) for encoding in ("cp1254", "cp857")),
        *(("czech", encoding) for encoding in ("cp1250", "iso8859-2", "cp852")),
        ("french", "cp1252"),
        *(("japanese", encoding) for encoding in ("shift_jis", "euc-jp", "iso-2022-jp")),
        *(("chinese", encoding) for encoding in ("gb18030", "gb2312")),
        ("taiwanese", "big5"),
        ("korean", "euc-kr"),
        *(("russian", encoding) for encoding in ("utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-8-sig")),
    ],
)
def test_text_of_any_encoding_comes_out_in_the_right_characters(letter: str, encoding: str, tmp_path: Path) -> None:
    data = f"{LETTERS[letter]}\n2. {LETTERS[letter]}\n".encode(encoding)
    pieces = read(text, data, tmp_path, name="letter.txt")
    assert pieces.text == f"{LETTERS[letter]}\n2. {LETTERS[letter]}\n"
    assert pieces.metadata["encoding"]


def test_a_polish_name_in_a_czech_text_of_windows_leaves_its_other_letters_alone(tmp_path: Path) -> None:
    words = (
        "Paní Dąbrowská žádá, aby byla smlouva přezkoumána ještě před koncem příštího měsíce; viz též naše šetření.\n"
    )
    assert read(text, (words * 3).encode("cp1250"), tmp_path).text == words * 3


@pytest.mark.parametrize("encoding", ["cp500", "cp037"])
@pytest.mark.parametrize("line_end", ["\n", "\x85"])
def test_text_of_a_mainframe_is_text(encoding: str, line_end: str, tmp_path: Path) -> None:
    lines = ["Rent is due on 2019-03-01!", "1,200.50 USD (see Article IV)", "Regards, John"]
    pieces = read(text, line_end.join(lines).encode(encoding), tmp_path)
    assert (pieces.text, pieces.metadata["encoding"]) == ("\n".join(lines), encoding)


@pytest.mark.parametrize("words", ["Loyer: 1200 € par mois, charges comprises", "Une œuvre du cœur, côté cour"])
def test_the_euro_and_french_ligatures_of_unix_are_known_by_what_is_beside_them(words: str, tmp_path: Path) -> None:
    assert read(text, words.encode("iso8859-15"), tmp_path).text == words
    assert read(text, "2½ schöne Räume für größere Familien".encode("cp1252"), tmp_path).text[:2] == "2½"


def test_chinese_in_seven_bits_comes_out_as_chinese(tmp_path: Path) -> None:
    pieces = read(text, "Re: 合同 and 附件\n".encode("hz"), tmp_path)
    assert (pieces.text, pieces.metadata["encoding"]) == ("Re: 合同 and 附件\n", "hz")
    assert read(text, b"if x ~{ y ~} ~{\n", tmp_path).metadata["encoding"] == "utf-8"


def test_one_bad_byte_does_not_turn_utf8_into_something_else(tmp_path: Path) -> None:
    data = "Grüße aus Köln, schöne Straße, müde Füße, große Bäume, süßes Öl\n".encode() + b"bad \xff byte\n"
    assert read(text, data, tmp_path).text.startswith("Grüße aus Köln")


def test_lines_end_in_a_single_newline(tmp_path: Path) -> None:
    assert read(text, b"one\r\ntwo\rthree\n", tmp_path).text == "one\ntwo\nthree\n"


def test_zero_characters_never_reach_the_text(tmp_path: Path) -> None:
    assert read(text, b"before\0after", tmp_path, media_type="text/plain").text == "beforeafter"


@pytest.mark.requirement("A20")
def test_an_empty_file_is_named_empty(tmp_path: Path) -> None:
    pieces = read(text, b"", tmp_path)
    assert isinstance(pieces.error, Empty)


def test_a_long_text_comes_in_runs_and_is_whole(tmp_path: Path) -> None:
    data = "Zeile für Zeile\r\n".encode() * 200_000
    pieces = read(text, data, tmp_path)
    assert len(pieces.all) > 3
    assert pieces.text == "Zeile für Zeile\n" * 200_000
    assert pieces.metadata["encoding"] == "utf-8"


def test_an_odd_byte_far_behind_the_first_chunk_decides_the_encoding(tmp_path: Path) -> None:
    data = b"plain line\n" * 200_000 + "Grüße und Küsse aus München, schöne Tage\n".encode("cp1252") * 3
    pieces = read(text, data, tmp_path)
    assert pieces.text.endswith("Grüße und Küsse aus München, schöne Tage\n")


@pytest.mark.requirement("A20")
def test_text_over_the_limit_is_cut_off_and_says_so(tmp_path: Path) -> None:
    pieces = read(text, b"0123456789" * 10, tmp_path, max_text_chars=25)
    assert pieces.text == "0123456789012345678901234"
    assert [(trouble.code, "max_text_chars" in trouble.detail) for trouble in pieces.troubles] == [
        (Code.LIMIT_REACHED, True)
    ]


def test_the_encoding_that_xml_declares_is_used(tmp_path: Path) -> None:
    data = "<?xml version='1.0' encoding='iso-8859-15'?><price>500 €</price>".encode("iso8859-15")
    assert "500 €" in read(text, data, tmp_path).text


def test_json_gives_the_characters_that_it_escapes(tmp_path: Path) -> None:
    said = r'{"a": "Pr\u00fcfung \uD83D\uDE00 C:\\users \ud83d"}'
    pieces = read(text, said.encode(), tmp_path, name="a.json")
    assert pieces.text == r'{"a": "Prüfung 😀 C:\\users �"}'
    assert read(text, said.encode(), tmp_path, name="a.txt", media_type="text/plain").text == said


def test_an_escape_on_the_edge_of_a_chunk_is_one_character(tmp_path: Path) -> None:
    for shift in range(14):
        filler = "x" * ((1 << 20) - 20 + shift)
        said = '["' + filler + r"\uD83D\uDE00" + 'end"]'
        assert read(text, said.encode(), tmp_path, name="a.json").text == f'["{filler}😀end"]'


def test_a_log_with_stray_zeros_is_text(tmp_path: Path) -> None:
    lines = b"\x1b[31mfailed\x1b[0m at the valve\0 and went on\r\n" * 5
    assert read(text, lines, tmp_path, name="a.log").text.count("at the valve and went on\n") == 5
