"""What a job wants made, from its settings: and what its key covers."""

from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.recipe import Recipe
from redwell.core.work.renderers import Goal
from redwell.runtime.bootstrap.configuration.job_settings import renditions_in, settings_in, terms_of
from redwell.runtime.bootstrap.recipes import recipe_of, wanted_goals
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep.rendering import eager_for

ALL = [*Profile]


def keys(recipe: Recipe) -> dict[TaskType, str]:
    return {rendition.renderer.task: rendition.settings for rendition in recipe.renditions}


def test_by_default_only_recognition_is_made_without_being_asked_for() -> None:
    assert wanted_goals(Settings()) == {Goal.OCR, Goal.COMBINED}


def test_page_images_want_the_pdf_too() -> None:
    assert wanted_goals(Settings(pages="eager", ocr="none")) == {Goal.PDF, Goal.PAGES}


def test_nothing_is_asked_of_profiles_without_handlers() -> None:
    assert not [
        r for r in recipe_of(Settings(), [Profile.PARSER]).renditions if r.renderer.profile is not Profile.PARSER
    ]


def test_a_setting_of_one_kind_makes_no_other_anew() -> None:
    plain = recipe_of(Settings(pages="eager"), ALL)
    finer = recipe_of(Settings(pages="eager", page_dpi=150), ALL)
    assert {task for task, key in keys(plain).items() if keys(finer)[task] != key} == {TaskType.RENDER_PAGE_IMAGES}
    assert recipe_of(Settings(ocr_dpi=400), ALL).settings == plain.settings, "nothing is read again"


def test_how_pictures_are_packed_makes_anew_what_packs_them_and_nothing_where_it_is_the_default() -> None:
    def named(settings: Settings) -> dict[str, str]:
        return {each.renderer.name: each.settings for each in recipe_of(settings, ALL).renditions}

    plain = named(Settings(pages="eager", ocr_inline="yes"))
    assert plain["picture-pdf"] == plain["mail-pdf"], "of no settings, as before there were any"
    for changed in (
        Settings(pages="eager", ocr_inline="yes", jpeg_quality=60),
        Settings(pages="eager", ocr_inline="yes", pdf_compression="lossless"),
    ):
        again = {name for name, key in named(changed).items() if plain[name] != key}
        assert again == {
            *("picture-pdf", "page-list-pdf", "office-pdf", "locked-pdf", "sheets-pdf"),
            *("ocr-image", "ocr-image-list", "ocr-page-list"),
        }


def test_pictures_are_always_recognised_and_pdfs_where_they_need_it() -> None:
    for ocr, asked in (("auto", True), ("all", False)):
        rows = {r.renderer.task: r.if_pending for r in recipe_of(Settings(ocr=ocr), ALL).renditions}
        assert rows[TaskType.OCR_PAGE_IMAGES] is asked and not rows[TaskType.TEXT_FROM_IMAGE]


def test_a_render_makes_what_was_asked_for_and_no_more() -> None:
    assert wanted_goals(eager_for(Settings(ocr="none"), [Goal.OCR])) == {Goal.OCR, Goal.COMBINED}
    assert wanted_goals(eager_for(Settings(pages="eager"), [Goal.PDF])) == {Goal.PDF}


def test_terms_of_an_older_job_mean_the_defaults_of_what_it_did_not_know() -> None:
    terms = terms_of(Settings(), "")
    older = terms.replace(', "pdf": "lazy"', "")
    assert older != terms and settings_in(older) == settings_in(terms)
    assert "pdf=eager" in renditions_in(terms_of(Settings(pdf="eager"), ""))
