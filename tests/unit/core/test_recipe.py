"""What is made of which document: the first row of the table that takes it counts, when it has what it needs."""

from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import TaskType
from redwell.core.work.recipe import ReadContent, Recipe, Rendition
from redwell.core.work.renderers import OFFICE, RENDERERS, SHEETS, TURNS, Goal

EVERY = Recipe(settings="", large_bytes=1, renditions=tuple(Rendition(renderer=r, settings="") for r in RENDERERS))
TEXT, PDF = {ArtifactKind.TEXT: 9}, {ArtifactKind.TEXT: 9, ArtifactKind.PDF: 2}


def names(content: ReadContent, made: dict[ArtifactKind, int]) -> list[str]:
    return [rendition.renderer.name for rendition in EVERY.to_render(content, made)]


def read(media_type: str, **about: str) -> ReadContent:
    return ReadContent(**{"task": "extract-text", "outcome": "SUCCESS", **about}, media_type=media_type)


def test_a_document_has_one_pdf_whichever_kind_of_work_makes_it() -> None:
    for types, name in ((SHEETS, "sheets-pdf"), (OFFICE, "office-pdf")):
        for media_type in types:
            assert [n for n in names(read(media_type), TEXT) if n.endswith("pdf")] == [name]


def test_whatever_else_has_text_becomes_a_pdf_of_it_and_what_has_none_does_not() -> None:
    assert names(read("text/x-unheard-of"), TEXT) == ["text-pdf"]
    assert names(read("text/x-unheard-of"), {ArtifactKind.TEXT: 0}) == names(read("video/mp4"), {}) == []


def test_where_the_row_for_it_failed_its_words_stand_in_and_where_that_fails_too_nothing_does() -> None:
    failed = {("office-pdf/1", "")}
    content = read("application/rtf")
    assert [each.renderer.name for each in EVERY.to_render(content, TEXT, failed)] == ["words-pdf", "ocr-inline"]
    failed.add(("words-pdf/1", ""))
    assert [each.renderer.name for each in EVERY.to_render(content, TEXT, failed)] == ["ocr-inline"]


def test_page_images_wait_for_the_pdf() -> None:
    assert names(read("text/plain"), PDF) == ["text-pdf", "page-images"]


def test_what_is_opened_for_its_members_or_was_not_read_is_not_rendered() -> None:
    for content in (
        read("a/b", task="unpack-document"),
        read("a/b", task="unpack-mailbox"),
        read("a/b", outcome="EMPTY"),
    ):
        assert names(content, PDF) == []
    assert names(read("a/b", outcome=Outcome.PARTIAL), TEXT) == ["text-pdf"]


def test_a_pdf_is_recognised_where_its_reading_says_that_pages_are_pictures() -> None:
    [row] = [row for row in RENDERERS if row.task is TaskType.OCR_PAGE_IMAGES]
    recipe = Recipe(settings="", large_bytes=1, renditions=(Rendition(renderer=row, settings="", if_pending=True),))
    plain = read("application/pdf")
    assert list(recipe.to_render(plain, {})) == []
    assert list(recipe.to_render(plain._replace(is_pending=True), {})) == list(recipe.renditions)


def test_every_row_has_a_goal_and_a_turn() -> None:
    assert {row.goal for row in RENDERERS} == {*Goal}
    assert {(row.task, row.profile) for row in RENDERERS} <= {*TURNS}
