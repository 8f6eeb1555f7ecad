"""Who makes which rendition of which types, as one table: a new engine is a row. Pure.

The parent knows from here what to ask for, before any child of a profile was started; the handlers make their SPEC of
the same rows (`spec_of`).
"""

from dataclasses import dataclass
from enum import StrEnum

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import HandlerSpec
from redwell.core.work.kinds import KINDS, READING, Profile, TaskType


def _types(prefix: str, names: str) -> frozenset[str]:
    return frozenset(prefix + name for name in names.split())


PDF = frozenset({"application/pdf"})
MAIL = _types("message/", "rfc822 global x-emlx") | _types("application/vnd.ms-", "outlook tnef")
WEB = frozenset({"text/html", "application/xhtml+xml", "multipart/related", "image/svg+xml"})
TIFF = frozenset({"image/tiff"})
PICTURES = TIFF | _types(
    "image/",
    "png jpeg gif bmp webp heic heif avif jp2 vnd.adobe.photoshop vnd.microsoft.icon x-icon x-sgi x-portable-pixmap"
    " x-portable-anymap x-sun-raster x-tga x-pcx vnd.zbrush.pcx x-icns x-xbitmap x-xpixmap",
)
SHEETS = _types(
    "application/vnd.",
    "ms-excel ms-excel.addin.macroenabled.12 ms-excel.sheet.binary.macroenabled.12 ms-excel.sheet.macroenabled.12"
    " ms-excel.template.macroenabled.12 ms-spreadsheetml oasis.opendocument.spreadsheet"
    " oasis.opendocument.spreadsheet-flat-xml oasis.opendocument.spreadsheet-template"
    " openxmlformats-officedocument.spreadsheetml.sheet openxmlformats-officedocument.spreadsheetml.template"
    " sun.xml.calc sun.xml.calc.template",
)
OFFICE = (
    _types("application/", "msword rtf x-mspublisher")
    | _types("image/", "emf wmf")
    | _types(
        "application/vnd.",
        "ms-word.document.macroenabled.12 ms-word.template.macroenabled.12 ms-wordml ms-works visio ms-visio.drawing"
        " wordperfect openxmlformats-officedocument.wordprocessingml.document"
        " openxmlformats-officedocument.wordprocessingml.template ms-powerpoint"
        " ms-powerpoint.presentation.macroenabled.12 ms-powerpoint.slideshow.macroenabled.12"
        " ms-powerpoint.template.macroenabled.12 openxmlformats-officedocument.presentationml.presentation"
        " openxmlformats-officedocument.presentationml.slideshow openxmlformats-officedocument.presentationml.template"
        " oasis.opendocument.text oasis.opendocument.text-flat-xml oasis.opendocument.text-master"
        " oasis.opendocument.text-template oasis.opendocument.text-web oasis.opendocument.graphics"
        " oasis.opendocument.graphics-flat-xml oasis.opendocument.graphics-template oasis.opendocument.chart"
        " oasis.opendocument.formula oasis.opendocument.presentation oasis.opendocument.presentation-flat-xml"
        " oasis.opendocument.presentation-template sun.xml.draw sun.xml.math sun.xml.writer sun.xml.writer.global"
        " sun.xml.writer.template sun.xml.impress sun.xml.impress.template stardivision.calc stardivision.draw"
        " stardivision.writer",
    )
)
LOCKED = frozenset({"application/x-ooxml-protected"})
ANY: frozenset[str] = frozenset()
ASSEMBLED_BY = frozenset({"page-list-pdf", "ocr-page-list"})  # who is given the contents that its input names
ONE_PAGE = "one-page"  # of a PDF, for somebody who waits for it: no work of the ledger
Turn = tuple[TaskType, Profile]  # a kind of work, and the kind of children that do it


class Goal(StrEnum):
    """What somebody wants of a document, whichever kinds of work make it."""

    PDF = "pdf"
    PAGES = "pages"
    OCR = "ocr"
    INLINE = "inline"  # the words of pictures inside a document
    COMBINED = "combined"  # what was made in ranges of pages, as one


_GOALS = {
    TaskType.RENDER_PDF: Goal.PDF,
    TaskType.RENDER_XLSX: Goal.PDF,
    TaskType.RENDER_PAGE_IMAGES: Goal.PAGES,
    TaskType.OCR_PAGE_IMAGES: Goal.OCR,
    TaskType.TEXT_FROM_IMAGE: Goal.OCR,
    TaskType.TEXT_FROM_IMAGE_LIST: Goal.OCR,
    TaskType.OCR_INLINE_IMAGES: Goal.INLINE,
    TaskType.COMBINE_PAGE_IMAGES: Goal.COMBINED,
}


def is_rendition(task: str) -> bool:
    return task in _GOALS


def goal_of(task: TaskType) -> Goal:
    """KeyError for a kind of work that no renderer does."""
    return _GOALS[task]


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    task: TaskType
    name: str
    version: int = 1
    profile: Profile
    media_types: frozenset[str] = ANY  # of the document, whatever is handed over of it
    needs: ArtifactKind | None = None  # None: the document's own bytes
    instead: bool = False  # only where those before it failed, and worth less than what they make

    @property
    def engine(self) -> str:
        return f"{self.name}/{self.version}"

    @property
    def goal(self) -> Goal:
        return goal_of(self.task)

    def takes(self, media_type: str | None) -> bool:
        return not self.media_types or media_type in self.media_types


# of one goal and one document the first row that fits counts; where that failed, the first that stands in
RENDERERS = (
    Renderer(  # pages that were given count before any that could be made
        task=TaskType.RENDER_PDF, name="page-list-pdf", profile=Profile.PARSER, needs=ArtifactKind.PAGE_LIST
    ),
    Renderer(task=TaskType.RENDER_PDF, name="native-pdf", profile=Profile.PARSER, media_types=PDF),
    Renderer(task=TaskType.RENDER_PDF, name="picture-pdf", profile=Profile.PARSER, media_types=PICTURES),
    Renderer(task=TaskType.RENDER_PDF, name="mail-pdf", profile=Profile.BROWSER, media_types=MAIL),
    Renderer(task=TaskType.RENDER_PDF, name="web-pdf", profile=Profile.BROWSER, media_types=WEB),
    Renderer(task=TaskType.RENDER_PDF, name="office-pdf", profile=Profile.OFFICE, media_types=OFFICE),
    Renderer(task=TaskType.RENDER_PDF, name="locked-pdf", profile=Profile.OFFICE, media_types=LOCKED),
    Renderer(task=TaskType.RENDER_XLSX, name="sheets-pdf", profile=Profile.OFFICE, media_types=SHEETS),
    # whatever else has text: of that
    Renderer(task=TaskType.RENDER_PDF, name="text-pdf", profile=Profile.PARSER, needs=ArtifactKind.TEXT),
    Renderer(task=TaskType.RENDER_PDF, name="words-pdf", profile=Profile.PARSER, needs=ArtifactKind.TEXT, instead=True),
    Renderer(task=TaskType.RENDER_PAGE_IMAGES, name="page-images", profile=Profile.PARSER, needs=ArtifactKind.PDF),
    Renderer(
        task=TaskType.TEXT_FROM_IMAGE_LIST,
        name="ocr-page-list",
        version=3,
        profile=Profile.OCR,
        needs=ArtifactKind.PAGE_LIST,
    ),
    Renderer(task=TaskType.OCR_PAGE_IMAGES, name="ocr-pages", version=3, profile=Profile.OCR, media_types=PDF),
    Renderer(
        task=TaskType.TEXT_FROM_IMAGE, name="ocr-image", version=3, profile=Profile.OCR, media_types=PICTURES - TIFF
    ),
    Renderer(
        task=TaskType.TEXT_FROM_IMAGE_LIST, name="ocr-image-list", version=3, profile=Profile.OCR, media_types=TIFF
    ),
    Renderer(
        task=TaskType.COMBINE_PAGE_IMAGES,
        name="combined-pdf",
        profile=Profile.PARSER,
        media_types=PDF | TIFF,
        needs=ArtifactKind.SEARCHABLE_PDF,
    ),
    Renderer(
        task=TaskType.OCR_INLINE_IMAGES, name="ocr-inline", version=2, profile=Profile.OCR, media_types=OFFICE | SHEETS
    ),
)

OF_READING: tuple[Turn, ...] = tuple((task, Profile.PARSER) for task in READING)
# as a job's work is taken: text before renditions before recognition (SPEC A4)
TURNS: tuple[Turn, ...] = (
    *OF_READING,
    *sorted(dict.fromkeys((row.task, row.profile) for row in RENDERERS), key=lambda turn: KINDS[turn[0]].phase),
)

_STAND_INS = frozenset(row.name for row in RENDERERS if row.instead)


def stands_in(engine: str) -> bool:
    """Whether what it makes shows less than another would have; `engine` as rows name it."""
    return engine.partition("/")[0] in _STAND_INS


def spec_of(name: str) -> HandlerSpec:
    """What the handler of this name says of itself."""
    row = next(row for row in RENDERERS if row.name == name)
    return HandlerSpec(name=row.name, media_types=row.media_types, version=row.version, task=row.task)
