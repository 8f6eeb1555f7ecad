"""How pictures are packed in the PDFs and TIFFs that are made: what settings and options of volumes say. Pure."""

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

PRODUCED_QUALITY = 82
# of black and white pages, by Pillow's name; all of them without a loss
TIFF_PACKING: Mapping[str, str | None] = {
    "group4": "group4",
    "lzw": "tiff_lzw",
    "deflate": "tiff_adobe_deflate",
    "none": None,
}


class PdfCompression(IntEnum):
    """A number, as the options of a child are numbers; the setting has the names in small letters."""

    AUTO = 0  # with a loss where there was one already, or where a scan would be huge
    LOSSLESS = 1
    JPEG = 2


class Compression(NamedTuple):
    """Of pictures that have to be packed anew: what a PDF can hold as it is stays as it is."""

    how: PdfCompression = PdfCompression.AUTO
    quality: int = 0  # of JPEG; 0: whatever its maker thinks best

    def is_lossy(self, *, usually: bool) -> bool:
        return self.how is PdfCompression.JPEG or (usually and self.how is PdfCompression.AUTO)


AS_USUAL = Compression()
