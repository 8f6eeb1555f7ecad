"""Reads the picture of one page: in the languages that are wanted or told, again and cleaned where it reads badly.

The one core of recognition (SPEC B5), used by every handler of this package, in the child.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from redwell.core.handler import Options
from redwell.core.page_words import Word
from redwell.handlers.engines import rapid, tesseract
from redwell.handlers.ocr.box_places import Affine, direction_of, moved_back
from redwell.handlers.ocr.cleaning import PLAINLY, SOFTLY, STRONGLY, cleaned
from redwell.handlers.ocr.language_choice import by_script, by_text, wanted_in
from redwell.handlers.ocr.quality import NOTHING, POOR, Quality, is_better, is_doubtful, quality_of, says_something
from redwell.handlers.ocr.unread import MUCH, unread_share
from redwell.handlers.structures.pages.page_likeness import is_blank, is_in_shadow, look_at

_SURELY_TURNED = 2.0
_FEWEST_LETTERS = 40  # from which a language can be told
_FEWEST_WORDS = 5  # of a page: a photograph has a sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What came of one try at a page. Boxes are fractions of the picture that was given."""

    text: str = ""
    words: list[Word] = field(default_factory=list)
    quality: Quality = NOTHING
    engine: str = "tesseract"
    languages: tuple[str, ...] = ()
    preprocessed: int = 0  # 0 as it was, or how strongly it was cleaned
    rotation: int = 0  # degrees clockwise by which the page is turned
    first_score: float = 0.0  # of the picture as it was
    unread: float = 0.0  # the share of what looks like writing that lies in shadow and has no word
    is_blank: bool = False
    cleaned: Any = None  # the PIL image that a page which read badly was made into, whichever reading was kept
    other: "Reading | None" = None  # the reading that was not kept: of the page as it was, or else of the cleaned one

    @property
    def says_something(self) -> bool:
        return says_something(self.quality)

    @property
    def is_partly_unread(self) -> bool:
        """So many words that it is a page, and much of it has none."""
        return self.says_something and self.quality.words >= _FEWEST_WORDS and self.unread >= MUCH

    def figures(self) -> dict[str, int | float | str]:
        return {
            "confidence": self.quality.confidence,
            "quality": self.quality.score,
            "quality_before": self.first_score,
            "unread": self.unread,
            "engine": self.engine,
            "languages": "+".join(self.languages),
            "preprocessed": self.preprocessed,
            "rotation": self.rotation,
        }


class Recogniser:
    """Of one document: what language its last page was in is tried first on the next."""

    def __init__(self, options: Options) -> None:
        self._wanted = wanted_in(options.ocr_languages)
        self._second = bool(options.ocr_second)
        self._keeps_tries = bool(options.ocr_tries)
        self._languages = self._wanted
        self._installed = frozenset(tesseract.languages())
        tesseract.check(self._wanted)

    def page(self, picture: Any, dpi: int, *, may_clean: bool = True) -> Reading:
        """The best of the readings that were worth trying; `picture` is a PIL image as the page is shown."""
        look = look_at(picture)
        if is_blank(look):
            return Reading(is_blank=True)
        first = self._in_its_language(_Try(picture, dpi, picture.size, Affine()))
        tries = [first]
        is_wanting = is_doubtful(first.quality, look.ground, dpi) or is_in_shadow(look, picture)
        is_page = may_clean or first.quality.words >= _FEWEST_WORDS
        unread = unread_share(picture, first.words)
        is_wanting = is_wanting or (is_page and unread >= MUCH)
        if is_wanting and (may_clean or first.says_something):
            tries += self._cleaned(picture, dpi, first)
        if self._second and may_clean and _best(tries).quality.score < POOR:
            tries += _second_reading(picture)
        kept = _kept(tries)
        unread = unread_share(picture, kept.words) if len(tries) > 1 else unread
        kept = replace(kept, unread=round(unread, 2))
        return kept if self._keeps_tries else replace(kept, cleaned=None, other=None)

    def _cleaned(self, picture: Any, dpi: int, best: Reading) -> Iterator[Reading]:
        turned = tesseract.turned(picture, dpi)
        degrees = turned.degrees if turned and turned.sureness >= _SURELY_TURNED else 0
        if turned and (others := by_script(turned.script, self._languages, self._installed)):
            self._languages = others
        for strength in (PLAINLY, STRONGLY, SOFTLY):
            if strength == SOFTLY and unread_share(picture, best.words) < MUCH:
                break
            page, done = cleaned(picture, dpi, degrees, strength)
            found = self._in_its_language(_Try(page, max(dpi, 300), picture.size, done, strength, degrees))
            yield found
            best = _best((best, found))
            if best.quality.score >= POOR and unread_share(picture, best.words) < MUCH:
                break

    def _in_its_language(self, page: "_Try") -> Reading:
        """Read as the page before it was; again where the words turn out to be of another language."""
        found = page.read(self._languages)
        if found.quality.sure_letters < _FEWEST_LETTERS:
            return found
        from redwell.handlers.structures.language import language_of

        others = by_text(language_of(found.text), self._languages, self._installed)
        if others and is_better((again := page.read(others)).quality, found.quality):
            self._languages = others
            return again
        return found


@dataclass(frozen=True, slots=True)
class _Try:
    """A picture to be read, and how it was made of the one that was given, which has the size `shown`."""

    picture: Any
    dpi: int
    shown: tuple[int, int]
    done: Affine
    strength: int = 0
    degrees: int = 0

    def read(self, languages: tuple[str, ...]) -> Reading:
        found = tesseract.recognise(self.picture, languages, self.dpi)
        words = moved_back(found.words, self.done, self.picture.size, self.shown)
        return Reading(
            text=found.text.strip(),
            words=words,
            quality=quality_of(words),
            languages=languages,
            preprocessed=self.strength,
            rotation=self.degrees or direction_of(words, self.shown),
            cleaned=self.picture if self.strength else None,
        )


def _kept(tries: Sequence[Reading]) -> Reading:
    """The best of them, with the one that it was chosen over and the picture that was made for it (SPEC B5)."""
    first, later = tries[0], tries[1:]
    best, made = _best(tries), [each for each in later if each.cleaned]
    other = first if best is not first else _best(later) if later else None
    return replace(
        best,
        first_score=first.quality.score,
        cleaned=_best(made).cleaned if made else None,
        other=replace(other, cleaned=None) if other else None,
    )


def _best(tries: Sequence[Reading]) -> Reading:
    """The earlier one of two that are as good."""
    return reduce(lambda best, each: each if is_better(each.quality, best.quality) else best, tries)


def _second_reading(picture: Any) -> list[Reading]:
    """By the other engine, where it is installed."""
    words = rapid.recognise(picture)
    if words is None:
        return []
    return [Reading(text=rapid.as_text(words), words=words, quality=quality_of(words), engine="rapidocr")]
