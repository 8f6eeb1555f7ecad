"""Pages are read however bad they are, in their own language, and each word has its place."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.support.scans import GERMAN, LETTER, Place, blurred, noisy, page_of, shaded, skewed

from redwell.core.errors import Unsupported
from redwell.core.handler import Options
from redwell.core.page_words import Word
from redwell.handlers.engines import rapid, tesseract
from redwell.handlers.ocr import recognition
from redwell.handlers.ocr.cleaning import cleaned, skew_of
from redwell.handlers.ocr.language_choice import by_script, by_text, wanted_in
from redwell.handlers.ocr.quality import POOR, Quality
from redwell.handlers.ocr.recognition import Reading, Recogniser

pytestmark = pytest.mark.requirement("B5", "A7")

EXPECTED = " ".join(LETTER).split()


def read(picture: Any, dpi: int = 300, **options: Any) -> Reading:
    return Recogniser(Options(name="", media_type="", **options)).page(picture, dpi)


def found(reading: Reading, words: list[str] = EXPECTED) -> float:
    """The share of the words that were drawn."""
    read = set(reading.text.split())
    return sum(word in read for word in words) / len(words)


def overlap(place: Place, word: Word) -> float:
    """Of both boxes, the share that is common."""
    width = min(place.right, word.right) - max(place.left, word.left)
    height = min(place.bottom, word.bottom) - max(place.top, word.top)
    common = max(0.0, width) * max(0.0, height)
    areas = ((box.right - box.left) * (box.bottom - box.top) for box in (place, word))
    return common / (sum(areas) - common)


def test_a_clean_page_is_read_once_and_its_words_stand_where_they_were_drawn() -> None:
    scan = page_of()
    reading = read(scan.picture)
    assert (found(reading), reading.preprocessed, reading.rotation) == (1.0, 0, 0)
    assert reading.quality.score > 0.85 and reading.first_score == reading.quality.score
    assert [word.text for word in reading.words] == EXPECTED
    assert min(overlap(place, word) for place, word in zip(scan.places, reading.words, strict=True)) > 0.6


@pytest.mark.parametrize(
    ("spoiled", "least"),
    [
        (lambda page: noisy(page, 0.04), 0.9),
        (lambda page: skewed(page, 3), 0.9),
        (lambda page: blurred(page, 3.5), 0.9),
        (shaded, 0.98),
        (lambda page: page.point(lambda shade: 150 + shade // 8), 0.98),
        (lambda page: noisy(shaded(skewed(page, 4))), 0.8),
    ],
)
def test_spoiled_pages_are_read_all_the_same(spoiled: Callable[[Any], Any], least: float) -> None:
    assert found(read(spoiled(page_of().picture))) >= least


def test_a_coarse_page_is_made_larger_and_what_is_better_is_kept() -> None:
    scan = page_of(dpi=60)
    reading = read(scan.picture, 60)
    assert reading.preprocessed and reading.quality.score > reading.first_score
    assert found(reading) > 0.75
    placed = [(place, word) for place, word in zip(scan.places, reading.words, strict=False) if place.word == word.text]
    assert placed and min(overlap(place, word) for place, word in placed) > 0.35


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_is_read_and_its_words_stand_where_they_are_shown(degrees: int) -> None:
    scan = page_of()
    picture = scan.picture.rotate(-degrees, expand=True)  # Pillow turns the other way
    reading = read(picture)
    assert (found(reading), reading.rotation) == (1.0, degrees)
    first = next(word for word in reading.words if word.text == "inspection")
    place = next(place for place in scan.places if place.word == "inspection")
    corner = {90: (1 - place.bottom, place.left), 180: (1 - place.right, 1 - place.bottom)}.get(degrees)
    corner = corner or (place.top, 1 - place.right)
    assert (first.left, first.top) == pytest.approx(corner, abs=0.02)


@pytest.mark.parametrize("degrees", [-5, -2, 1.5, 3, 8])
def test_skew_is_measured(degrees: float) -> None:
    import numpy

    page = numpy.asarray(skewed(page_of(size=(6, 6)).picture, degrees))
    assert skew_of(page) == pytest.approx(-degrees, abs=0.4)


def test_a_straightened_page_maps_back() -> None:
    picture, done = cleaned(skewed(page_of().picture, 3), 300)
    assert picture.size == (2700, 1350)
    middle = done.inverse().at(1350, 675)
    assert middle == pytest.approx((900, 450), abs=2)


def test_a_page_in_another_language_is_read_in_that_one() -> None:
    reading = read(page_of(GERMAN).picture)
    assert reading.languages == ("deu",)
    assert {"Prüfung", "während", "öffnete"} <= set(reading.text.split())


def test_a_page_that_was_cleaned_has_both_readings_and_the_picture() -> None:
    reading = read(shaded(page_of().picture))
    assert reading.preprocessed and reading.cleaned.mode == "L"
    assert reading.other and (reading.other.preprocessed, reading.other.cleaned) == (0, None)
    assert reading.other.quality.score == reading.first_score and found(reading.other) < found(reading)
    assert read(page_of().picture).cleaned is read(page_of().picture).other is None, "it was read once"
    without = read(shaded(page_of().picture), ocr_tries=0)
    assert (without.cleaned, without.other, without.text) == (None, None, reading.text)


def test_where_cleaning_did_not_help_its_reading_is_the_other_one() -> None:
    picture, well, badly = page_of().picture, Quality(0.6, 0.7, 9, 40.0), Quality(0.3, 0.4, 2, 5.0)
    tries = [Reading(quality=well), Reading(quality=badly, preprocessed=1, cleaned=picture)]
    kept = recognition._kept(tries)
    assert (kept.preprocessed, kept.cleaned, kept.other) == (0, picture, Reading(quality=badly, preprocessed=1))


def test_an_empty_page_says_nothing() -> None:
    assert not read(page_of(("",)).picture).says_something


def test_languages_are_chosen_among_those_that_are_there() -> None:
    assert wanted_in("eng+deu,eng") == ("eng", "deu")
    assert by_text("de", ("eng",), {"eng", "deu"}) == ("deu",)
    assert by_text("de", ("eng", "deu"), {"eng", "deu"}) == by_text("de", ("eng",), {"eng"}) == ()
    assert by_script("Cyrillic", ("eng",), {"eng", "rus", "ukr", "bul"}) == ("rus", "ukr")
    assert by_script("Latin", ("eng",), {"eng"}) == by_script("Cyrillic", ("ukr",), {"rus", "ukr"}) == ()


def test_a_language_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(Unsupported, match=r"lacks chi_sim: apt-get install tesseract-ocr-chi-sim, then redwell retry"):
        read(page_of().picture, ocr_languages="eng+chi_sim")


def test_without_the_second_engine_the_first_one_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rapid, "_engine", lambda: None)
    reading = read(page_of(("Valve",)).picture, ocr_second=1)
    assert (reading.engine, reading.text) == ("tesseract", "Valve")


def test_what_the_second_engine_reads_better_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [Word("Inspection", 0.1, 0.1, 0.2, 0.2, 0.99), Word("report", 0.3, 0.1, 0.4, 0.2, 0.99)]
    monkeypatch.setattr(rapid, "recognise", lambda picture: words)
    reading = read(page_of(("Valve",)).picture, ocr_second=1)
    assert (reading.engine, reading.text) == ("rapidocr", "Inspection report")
    assert reading.first_score < POOR


def test_osd_says_nothing_of_a_page_without_letters() -> None:
    assert tesseract.turned(page_of(("",)).picture) is None
