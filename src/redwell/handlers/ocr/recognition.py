"""Reads the picture of one page: in the languages that are wanted or told, again and cleaned where it reads badly.

The one core of recognition (SPEC B5), used by every handler of this package, in the child.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from redwell.core.handler import Options
from redwell.core.page_words import Word
from redwell.handlers.engines import rapid, tesseract
from redwell.handlers.ocr.box_places import Affine, direction_of, moved_back
from redwell.handlers.ocr.cleaning import cleaned
from redwell.handlers.ocr.language_choice import by_script, by_text, wanted_in
from redwell.handlers.ocr.quality import NOTHING, POOR, Quality, is_better, is_doubtful, quality_of, says_something
from redwell.handlers.structures.page_likeness import is_blank, look_at

_SURELY_TURNED = 2.0
_FEWEST_LETTERS = 40  # from which a language can be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What came of one try at a page. Boxes are fractions of the picture that was given."""

    text: str = ""
    words: list[Word] = field(default_factory=list)
    quality: Quality = NOTHING
    engine: str = "tesseract"
    languages: tuple[str, ...] = ()
    preprocessed: int = 0  # 0 as it was, 1 cleaned, 2 strongly
    rotation: int = 0  # degrees clockwise by which the page is turned
    first_score: float = 0.0  # of the picture as it was
    is_blank: bool = False

    @property
    def says_something(self) -> bool:
        return says_something(self.quality)

    def figures(self) -> dict[str, int | float | str]:
        return {
            "confidence": self.quality.confidence,
            "quality": self.quality.score,
            "quality_before": self.first_score,
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
        self._languages = self._wanted
        self._installed = frozenset(tesseract.languages())
        tesseract.check(self._wanted)

    def page(self, picture: Any, dpi: int, *, may_clean: bool = True) -> Reading:
        """The best of the readings that were worth trying; `picture` is a PIL image as the page is shown."""
        look = look_at(picture)
        if is_blank(look):
            return Reading(is_blank=True)
        first = self._in_its_language(_Try(picture, dpi, picture.size, Affine()))
        best = first
        if is_doubtful(first.quality, look.ground, dpi) and (may_clean or first.says_something):
            best = self._cleaned(picture, dpi, first)
        if best.quality.score < POOR and self._second and may_clean:
            best = _better(_second_reading(picture, best), best)
        return replace(best, first_score=first.quality.score)

    def _cleaned(self, picture: Any, dpi: int, first: Reading) -> Reading:
        turned = tesseract.turned(picture, dpi)
        degrees = turned.degrees if turned and turned.sureness >= _SURELY_TURNED else 0
        if turned and (others := by_script(turned.script, self._languages, self._installed)):
            self._languages = others
        best = first
        for strength in (1, 2):
            page, done = cleaned(picture, dpi, degrees, strongly=strength == 2)
            found = self._in_its_language(_Try(page, max(dpi, 300), picture.size, done, strength, degrees))
            best = _better(found, best)
            if best.quality.score >= POOR:
                break
        return best

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
        )


def _better(second: Reading, first: Reading) -> Reading:
    return second if is_better(second.quality, first.quality) else first


def _second_reading(picture: Any, best: Reading) -> Reading:
    """By the other engine, where it is installed."""
    words = rapid.recognise(picture)
    if words is None:
        return best
    return Reading(text=rapid.as_text(words), words=words, quality=quality_of(words), engine="rapidocr")
