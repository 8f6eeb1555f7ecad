"""Who makes which rendition of which types, as one table: a new engine is a row. Pure.

The parent knows from here what to ask for, before any child of a profile was started; the handlers make their SPEC of
the same rows (`spec_of`).
"""

from dataclasses import dataclass

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import HandlerSpec
from redwell.core.work.kinds import Profile, TaskType


def _types(prefix: str, names: str) -> frozenset[str]:
    return frozenset(prefix + name for name in names.split())


PDF = frozenset({"application/pdf"})
MAIL = frozenset({"message/rfc822", "message/global", "message/x-emlx", "application/vnd.ms-outlook"})
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
ANY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    task: TaskType
    name: str
    version: int = 1
    profile: Profile
    media_types: frozenset[str] = ANY  # of the document, whatever is handed over of it
    needs: ArtifactKind | None = None  # None: the document's own bytes

    @property
    def engine(self) -> str:
        return f"{self.name}/{self.version}"


# of one task and one document the first row that fits counts
RENDERERS = (
    Renderer(task=TaskType.RENDER_PDF, name="native-pdf", profile=Profile.PARSER, media_types=PDF),
    Renderer(task=TaskType.RENDER_PDF, name="picture-pdf", profile=Profile.PARSER, media_types=PICTURES),
    Renderer(task=TaskType.RENDER_PDF, name="mail-pdf", profile=Profile.BROWSER, media_types=MAIL),
    Renderer(task=TaskType.RENDER_PDF, name="web-pdf", profile=Profile.BROWSER, media_types=WEB),
    Renderer(task=TaskType.RENDER_PDF, name="office-pdf", profile=Profile.OFFICE, media_types=OFFICE),
    Renderer(task=TaskType.RENDER_XLSX, name="sheets-pdf", profile=Profile.OFFICE, media_types=SHEETS),
    # whatever else has text: of that
    Renderer(task=TaskType.RENDER_PDF, name="text-pdf", profile=Profile.PARSER, needs=ArtifactKind.TEXT),
    Renderer(task=TaskType.RENDER_PAGE_IMAGES, name="page-images", profile=Profile.PARSER, needs=ArtifactKind.PDF),
    Renderer(task=TaskType.OCR_PAGE_IMAGES, name="ocr-pages", profile=Profile.OCR, media_types=PDF),
    Renderer(task=TaskType.TEXT_FROM_IMAGE, name="ocr-image", profile=Profile.OCR, media_types=PICTURES - TIFF),
    Renderer(task=TaskType.TEXT_FROM_IMAGE_LIST, name="ocr-image-list", profile=Profile.OCR, media_types=TIFF),
    Renderer(task=TaskType.OCR_INLINE_IMAGES, name="ocr-inline", profile=Profile.OCR, media_types=OFFICE | SHEETS),
)


def spec_of(name: str) -> HandlerSpec:
    """What the handler of this name says of itself."""
    row = next(row for row in RENDERERS if row.name == name)
    return HandlerSpec(name=row.name, media_types=row.media_types, version=row.version, task=row.task)
