"""What becomes of an exhibit (SPEC A17, A20): by its content's end, and by the parts that are made of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.case.exhibit_outcome import Ending, Part, exhibit_end, outcome_of_parts, shown_with_parts
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import BY_TURN, KINDS, Phase, TaskType

thorough = settings(max_examples=60, deadline=None, derandomize=True)
LATER = [task for task in BY_TURN if KINDS[task].phase is not Phase.TEXT]
PART = st.builds(Part, st.sampled_from(LATER), st.sampled_from(Outcome), st.text(max_size=5), st.just(()))
PARTS = st.lists(PART, max_size=6)
PROBLEMS = st.lists(st.builds(Problem, code=st.sampled_from(Code), detail=st.text(max_size=5)), max_size=4)
NAMES = st.sampled_from(["a.txt", "a.pdf", "a.zip", "a", "a.unknown"])
TYPES = st.sampled_from(["text/plain", "application/pdf", "application/zip", None])
ENDINGS = st.builds(Ending, st.sampled_from(list(map(str, Outcome))), st.text(max_size=5), TYPES, st.just("[]"))


@given(NAMES, PROBLEMS, ENDINGS, st.sampled_from([None, "max_depth=3"]))
@thorough
def test_an_exhibit_that_ends_again_says_the_same(
    name: str, problems: list[Problem], content: Ending, limit: str | None
) -> None:
    outcome, told = exhibit_end(name, problems, content, limit)
    assert exhibit_end(name, told, content, limit) == (outcome, told)


@given(NAMES, PROBLEMS, ENDINGS)
@thorough
def test_a_limit_that_is_lifted_leaves_nothing_behind(name: str, problems: list[Problem], content: Ending) -> None:
    _, stopped = exhibit_end(name, problems, content, "max_depth=3")
    outcome, told = exhibit_end(name, stopped, content)
    assert outcome == content.outcome
    assert Code.LIMIT_REACHED not in {problem.code for problem in told}


def test_a_container_that_a_limit_kept_closed_is_partial_and_says_which() -> None:
    outcome, [problem] = exhibit_end("a.zip", [], Ending("SUCCESS", "", "application/zip"), "max_depth=3")
    assert outcome == Outcome.PARTIAL
    assert problem == Problem(code=Code.LIMIT_REACHED, detail="max_depth=3: its members were not opened")


def test_a_content_of_another_type_than_the_name_says_is_noted() -> None:
    outcome, [problem] = exhibit_end("a.pdf", [], Ending("SUCCESS", "", "text/plain"))
    assert (outcome, problem.code) == (Outcome.SUCCESS, Code.TYPE_MISMATCH)


@given(st.sampled_from(Outcome), PARTS)
@thorough
def test_parts_never_hide_how_the_reading_ended(reading: Outcome, parts: list[Part]) -> None:
    shown, _ = outcome_of_parts(reading, parts)
    assert shown is reading or (reading is Outcome.SUCCESS and shown is Outcome.PARTIAL)


@given(st.sampled_from(Outcome), PARTS)
@thorough
def test_the_order_in_which_parts_end_changes_no_outcome(reading: Outcome, parts: list[Part]) -> None:
    assert outcome_of_parts(reading, parts)[0] is outcome_of_parts(reading, parts[::-1])[0]


@given(PARTS)
@thorough
def test_a_document_that_lacks_a_part_is_partial_with_what_is_missing(parts: list[Part]) -> None:
    shown, told = outcome_of_parts(Outcome.SUCCESS, parts)
    failed = [p for p in parts if p.outcome not in {Outcome.SUCCESS, Outcome.EMPTY, Outcome.FILTERED}]
    assert [problem.code for problem in told] == [KINDS[part.task].giving_up for part in failed]
    assert (shown is Outcome.PARTIAL) == any(not KINDS[part.task].warns for part in failed)


def test_a_document_whose_inline_images_could_not_be_recognised_stands() -> None:
    parts = [Part(TaskType.OCR_INLINE_IMAGES, Outcome.CRASHED, "it died")]
    shown, [problem] = outcome_of_parts(Outcome.SUCCESS, parts)
    assert (shown, problem.code) == (Outcome.SUCCESS, Code.OCR_FAILED)


PENDING = Problem(code=Code.OCR_PENDING, detail="no text on page 2")
OCR = TaskType.OCR_PAGE_IMAGES


def test_a_scan_is_partial_until_it_is_recognised() -> None:
    said = '[{"code":"OCR_PENDING","detail":"no text on page 2"}]'
    assert exhibit_end("a.pdf", [], Ending("SUCCESS", "", "application/pdf", said))[0] == Outcome.PARTIAL
    assert shown_with_parts(Outcome.SUCCESS, [PENDING], [], [Part(OCR, None, "")]) == (Outcome.PARTIAL, [PENDING])
    done = [Part(OCR, Outcome.SUCCESS, "")]
    assert shown_with_parts(Outcome.SUCCESS, [PENDING], [], done) == (Outcome.SUCCESS, [])
    assert shown_with_parts(Outcome.SUCCESS, [PENDING], [], [*done, Part(OCR, None, "")]).problems == [PENDING]


def test_pages_without_a_readable_word_leave_a_scan_partial_and_say_so() -> None:
    none = Problem(code=Code.NO_TEXT, detail="page 2")
    shown = shown_with_parts(Outcome.SUCCESS, [PENDING], [], [Part(OCR, Outcome.PARTIAL, "", (none,))])
    assert shown == (Outcome.PARTIAL, [none])


def test_recognition_that_was_given_up_is_named_instead_of_pending() -> None:
    crashed = Part(OCR, Outcome.CRASHED, "it died")
    outcome, [problem] = shown_with_parts(Outcome.SUCCESS, [PENDING], [], [crashed])
    assert (outcome, problem.code) == (Outcome.PARTIAL, Code.OCR_FAILED)


def test_without_an_engine_a_scan_stays_pending_with_what_is_missing() -> None:
    unable = [Part(OCR, Outcome.UNSUPPORTED, "apt install tesseract-ocr")]
    expected = Problem(code=Code.OCR_PENDING, detail="apt install tesseract-ocr")
    assert shown_with_parts(Outcome.SUCCESS, [PENDING], [], unable) == (Outcome.PARTIAL, [expected])
    assert shown_with_parts(Outcome.SUCCESS, [], [], unable) == (Outcome.SUCCESS, [expected]), "a photograph stands"


def test_recognition_never_hides_what_else_was_wrong() -> None:
    other = Problem(code=Code.TEXT_UNAVAILABLE, detail="page 7")
    stopped = Problem(code=Code.LIMIT_REACHED, detail="max_depth=3")
    done = [Part(OCR, Outcome.SUCCESS, "")]
    assert shown_with_parts(Outcome.PARTIAL, [other, PENDING], [], done) == (Outcome.PARTIAL, [other])
    assert shown_with_parts(Outcome.SUCCESS, [PENDING], [stopped], done) == (Outcome.PARTIAL, [stopped])
