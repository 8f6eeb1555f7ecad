"""Tags that come with a load file."""

from redwell.core.review.imported_tags import tags_of
from redwell.core.review.values import LONGEST_NAME, checked_name


def test_each_tag_is_named_once_and_as_a_person_could_have_named_it() -> None:
    assert tags_of({"reviewtags": ["Hot", "HOT ", "To\tdiscuss", "", "\x00"]}) == ("Hot", "To discuss")
    assert tags_of({"reviewtags": "Hot"}) == ("Hot",)
    assert tags_of({"tags": "of some other document", "reviewtags": None}) == ()


def test_no_name_that_a_volume_brings_is_refused_later() -> None:
    [name] = tags_of({"reviewtags": "a" * (LONGEST_NAME - 1) + " b\u202e"})
    assert checked_name(name, "a tag") == name
