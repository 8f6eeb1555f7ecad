"""Values of the fields of PDF forms: filled in, chosen, pressed; each once, with its name."""

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import Pieces, read

from redwell.handlers.pdf import pdf

pytestmark = pytest.mark.requirement("A6", "A7")

_RADIO = 1 << 15
_PUSH = 1 << 16


def _read(fields: list[Any], tmp_path: Path, page: str = "Form", document: Any = None, **form: Any) -> Pieces:
    document = document or document_of(page)
    indirect = [document.make_indirect(field) for field in fields]
    document.Root.AcroForm = Dictionary(Fields=Array(indirect), **form)
    return read(pdf, saved(document), tmp_path)


def _lines(*fields: Any, tmp_path: Path) -> list[str]:
    return _read(list(fields), tmp_path).text.splitlines()[1:]


def _field(kind: str, name: str, **more: Any) -> Any:
    return Dictionary(FT=Name(f"/{kind}"), T=String(name), **more)


def _radio(name: str, states: list[str], **more: Any) -> Any:
    kids = [Dictionary(Subtype=Name.Widget, AS=Name(f"/{state}")) for state in states]
    return _field("Btn", name, Ff=_RADIO, Kids=Array(kids), **more)


def test_a_checked_box_gives_its_state_and_an_empty_one_nothing(tmp_path: Path) -> None:
    checked, empty = _field("Btn", "married", V=Name.Yes, AS=Name.Yes), _field("Btn", "smoker", V=Name.Off)
    never_touched = _field("Btn", "pensioner", AS=Name.Off)
    assert _lines(checked, empty, never_touched, tmp_path=tmp_path) == ["married: Yes"]


def test_a_box_that_only_its_widget_shows_as_checked_counts(tmp_path: Path) -> None:
    shown = _field("Btn", "married", AS=Name("/Ja"))
    kid = Dictionary(Subtype=Name.Widget, AS=Name.On)
    assert _lines(shown, _field("Btn", "a", Kids=Array([kid])), tmp_path=tmp_path) == ["married: Ja", "a: On"]


def test_a_group_of_radio_buttons_gives_the_chosen_one_once(tmp_path: Path) -> None:
    assert _lines(_radio("sex", ["Off", "female"], V=Name("/female")), tmp_path=tmp_path) == ["sex: female"]


def test_the_number_of_a_button_is_said_in_the_words_of_its_options(tmp_path: Path) -> None:
    words = Array([String("One way"), String("Return")])
    group = _radio("trip", ["Off", "1"], V=Name("/1"), Opt=words)
    assert _lines(group, tmp_path=tmp_path) == ["trip: Return"]


def test_a_button_whose_own_label_says_more_than_its_state_is_called_by_both(tmp_path: Path) -> None:
    group = _radio("status", ["Off", "2"], V=Name("/2"))
    group.Kids[1].TU = String("Married filing jointly")
    assert _lines(group, tmp_path=tmp_path) == ["status: Married filing jointly (2)"]


def test_states_are_read_in_whichever_way_a_writer_put_them(tmp_path: Path) -> None:
    latin, quoted = Name("/gepr\xfcft"), String("/female")
    raw = _field("Btn", "a", V=latin)
    data = saved(_document_with(raw, _field("Btn", "b", V=quoted))).replace(b"gepr#c3#bcft", b"gepr#fcft")
    assert read(pdf, data, tmp_path).text.splitlines()[1:] == ["a: geprüft", "b: female"]


def _document_with(*fields: Any) -> Any:
    document = document_of("Form")
    document.Root.AcroForm = Dictionary(Fields=Array([document.make_indirect(field) for field in fields]))
    return document


def test_a_button_to_press_has_no_value(tmp_path: Path) -> None:
    assert _lines(_field("Btn", "print", Ff=_PUSH, V=Name.Yes), tmp_path=tmp_path) == []


def test_a_choice_is_told_as_the_list_shows_it_with_the_value_stored(tmp_path: Path) -> None:
    options = Array(
        [Array([String("DE"), String("Germany")]), Array([String("FR"), String("France")]), String("Other")]
    )
    one, other = (
        _field("Ch", "country", V=String("FR"), Opt=options),
        _field("Ch", "born", V=String("Other"), Opt=options),
    )
    assert _lines(one, other, tmp_path=tmp_path) == ["country: France (FR)", "born: Other"]


def test_several_choices_of_a_list_are_on_one_line(tmp_path: Path) -> None:
    many = _field("Ch", "languages", V=Array([String("English"), String("French")]))
    by_place = _field("Ch", "colours", I=Array([0, 2]), Opt=Array([String("red"), String("green"), String("blue")]))
    assert _lines(many, by_place, tmp_path=tmp_path) == ["languages: English; French", "colours: red; blue"]


def test_names_of_fields_above_are_part_of_a_name_and_widgets_are_not(tmp_path: Path) -> None:
    widgets = Array([Dictionary(Subtype=Name.Widget), Dictionary(Subtype=Name.Widget)])
    name = Dictionary(T=String("name"), V=String("Roe"), Kids=widgets)
    group = _field("Tx", "tenant[0]", Kids=Array([Dictionary(T=String("#subform[0]"), Kids=Array([name]))]))
    assert _lines(group, tmp_path=tmp_path) == ["tenant.name: Roe"]


def test_the_label_stands_for_a_name_unless_another_field_has_it_too(tmp_path: Path) -> None:
    fields = [_field("Tx", f"f{n}", V=String(f"value {n}"), TU=String(label)) for n, label in enumerate("RNN")]
    fields[0].TU = String("Rent\tin EUR. :")
    assert _lines(*fields, tmp_path=tmp_path) == ["Rent in EUR: value 0", "f1: value 1", "f2: value 2"]


def test_a_short_value_is_told_though_the_page_has_the_same_letters(tmp_path: Path) -> None:
    pieces = _read(
        [_field("Tx", "rooms", V=String("2")), _field("Tx", "Flat", V=String("12"))], tmp_path, page="Flat: 12"
    )
    assert pieces.text == "Flat: 12\nrooms: 2\n"


def test_formatted_text_is_read_where_there_is_no_plain_one(tmp_path: Path) -> None:
    rich = '<body xmlns="http://www.w3.org/1999/xhtml"><p>No <b>pets</b></p><p>No smoking</p></body>'
    both = _field("Tx", "a", V=String("No pets"), RV=String(rich))
    alone, broken = _field("Tx", "b", RV=String(rich)), _field("Tx", "c", RV=String("<body><p>Up to here</p"))
    lines = _lines(both, alone, broken, tmp_path=tmp_path)
    assert lines == ["a: No pets", "b: No pets", "No smoking", "c: Up to here"]


def test_fields_that_only_a_page_lists_are_found_and_others_not_twice(tmp_path: Path) -> None:
    document = document_of("Form")
    listed = document.make_indirect(_field("Tx", "listed", V=String("one"), Subtype=Name.Widget))
    group = document.make_indirect(_field("Btn", "group", V=Name("/1"), Ff=_RADIO))
    kid = document.make_indirect(Dictionary(Subtype=Name.Widget, AS=Name("/1"), Parent=group))
    group.Kids = Array([kid])
    document.pages[0].obj["/Annots"] = Array([listed, kid])
    document.Root.AcroForm = Dictionary(Fields=Array([listed]))
    with pytest.warns(pikepdf.PageCopyWarning):  # other programs are not so careful
        data = saved(document)
    assert read(pdf, data, tmp_path).text == "Form\nlisted: one\ngroup: 1\n"


def test_a_group_whose_buttons_are_listed_beside_it_is_told_once(tmp_path: Path) -> None:
    """WeasyPrint writes forms so: each button is in the list as well, under the group's name."""
    document = document_of("Form")
    group = document.make_indirect(_field("Btn", "sex", V=Name("/1"), Ff=_RADIO, Opt=Array([String("m"), String("f")])))
    kids = [_field("Btn", "sex", AS=Name(state), Parent=group) for state in ("/Off", "/1")]
    group.Kids = Array([document.make_indirect(kid) for kid in kids])
    document.Root.AcroForm = Dictionary(Fields=Array([*group.Kids, group]))
    assert read(pdf, saved(document), tmp_path).text == "Form\nsex: f\n"


def test_fields_in_a_circle_end(tmp_path: Path) -> None:
    document = document_of("Form")
    field = document.make_indirect(_field("Tx", "a", V=String("once")))
    field.Kids, field.Parent = Array([field, document.make_indirect(Dictionary())]), field
    document.Root.AcroForm = Dictionary(Fields=Array([field]))
    assert read(pdf, saved(document), tmp_path).text == "Form\na: once\n"


def test_data_of_xfa_is_told_by_name_and_only_where_the_fields_do_not(tmp_path: Path) -> None:
    document = document_of("Form")
    data = b"<form><rent>1200 EUR</rent><terms>No pets\n\nNo noise</terms><rooms>2</rooms></form>"
    packets = Array([String("datasets"), document.make_stream(data)])
    fields = [_field("Tx", "terms[0]", V=String("No pets\rNo noise"))]
    pieces = _read(fields, tmp_path, document=document, XFA=packets)
    assert pieces.text == "Form\nterms: No pets\nNo noise\nrent: 1200 EUR\nrooms: 2\n"


def test_codes_of_choices_in_xfa_are_not_told_beside_the_choice(tmp_path: Path) -> None:
    document = document_of("Form")
    data = document.make_stream(b"<form><married>0</married><country>FR</country><note>FR</note></form>")
    options = Array([Array([String("FR"), String("France")])])
    fields = [_field("Btn", "married[1]", V=Name.Off), _field("Ch", "country[0]", V=String("FR"), Opt=options)]
    pieces = _read(fields, tmp_path, document=document, XFA=Array([String("datasets"), data]))
    assert pieces.text == "Form\ncountry: France (FR)\nnote: FR\n"
