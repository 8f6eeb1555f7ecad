"""The frames of a picture one after the other, ready to be put on a page. Called by the picture renderer in a child."""

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from redwell.core.compression import AS_USUAL, Compression, PdfCompression
from redwell.core.errors import InvalidFile, TooLarge

# what Pillow lets through on damaged files, beside its own error (an OSError)
PICTURE_ERRORS = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError,
                  EOFError, RuntimeError, AssertionError, struct.error)  # fmt: skip
_MOST_PIXELS = 300_000_000
_MOST_FRAMES = {"TIFF": 20_000}
_MOST_OF_OTHERS = 100  # an animation is seen well enough
_AS_THEY_ARE = {"JPEG": ("L", "RGB", "CMYK"), "PNG": ("1", "L", "RGB"), "MPO": ("L", "RGB")}
_WITH_A_LOSS = {"HEIF", "AVIF", "WEBP", "JPEG2000", "JPEG", "MPO"}  # of their own already: another small one is no harm
_ONE_PICTURE = {"MPO", "PNG", "PSD", "ICO", "ICNS", "GBR"}  # what else they have are layers, sizes and depth maps
_MIRRORED = (2, 4, 5, 7)
_QUALITY = 92
_GRAY_16 = ("I;16", "I;16B", "I;16L", "I;16N", "I", "F")


class Picture(NamedTuple):
    data: bytes  # JPEG, PNG or TIFF, as it is put into the PDF
    width: int
    height: int
    dpi: float  # 0: it does not say


class Frames:
    """Iterated once; `left_out` says afterwards what was not shown."""

    def __init__(self, file: BinaryIO, compression: Compression = AS_USUAL) -> None:
        from pillow_heif import register_heif_opener

        register_heif_opener()
        self.left_out: list[str] = []
        self._file, self._compression = file, compression

    def __iter__(self) -> Iterator[Picture]:
        with _whatever_there_is():
            yield from self._pictures()

    def _pictures(self) -> Iterator[Picture]:
        from PIL import Image

        try:
            opened = Image.open(self._file)
        except PICTURE_ERRORS as error:
            raise InvalidFile(f"Pillow: {type(error).__name__}: {error}") from None
        with opened as image:
            count = 1 if image.format in _ONE_PICTURE else int(getattr(image, "n_frames", 1))
            most = _MOST_FRAMES.get(image.format or "", _MOST_OF_OTHERS)
            if count > most:
                self.left_out.append(f"the PDF ends after {most} of {count} frames")
            for number in range(min(count, most)):
                if number:
                    image.seek(number)
                yield self._picture(image, count)

    def _picture(self, image: Any, count: int) -> Picture:
        if image.width * image.height > _MOST_PIXELS:
            raise TooLarge(f"{image.width} x {image.height} pixels; at most {_MOST_PIXELS} are shown")
        dpi = _resolution(image)
        if count == 1 and _fits_as_it_is(image, self._compression):
            self._file.seek(0)
            return Picture(self._file.read(), *_shown_size(image), dpi)
        return _encoded(image, dpi, self._compression)


@contextmanager
def _whatever_there_is() -> Iterator[None]:
    """Pictures of any size, as far as they go: pixels are counted and named here. Others of this process judge anew."""
    from PIL import Image, ImageFile

    most, cut = Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES
    Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = None, True
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = most, cut


def anew(picture: Picture, compression: Compression) -> Picture:
    """The same in a form that fits any PDF: its own was refused."""
    from PIL import Image

    with Image.open(io.BytesIO(picture.data)) as image:
        return _encoded(image, picture.dpi, compression)


def _fits_as_it_is(image: Any, compression: Compression) -> bool:
    """A page may be turned, but not mirrored."""
    if compression.how is PdfCompression.JPEG and image.format == "PNG" and image.mode != "1":
        return False
    plain = image.mode in _AS_THEY_ARE.get(image.format, ()) and "transparency" not in image.info
    return plain and _orientation(image) not in _MIRRORED


def _resolution(image: Any) -> float:
    try:
        return float(image.info["dpi"][0])
    except (*PICTURE_ERRORS, ZeroDivisionError):
        return 0


def _shown_size(image: Any) -> tuple[int, int]:
    """A picture that lies on its side is put up by the page that it is on."""
    sideways = _orientation(image) in (5, 6, 7, 8)
    return (image.height, image.width) if sideways else (image.width, image.height)


def _orientation(image: Any) -> int:
    try:
        return int(image.getexif().get(0x0112, 1))
    except PICTURE_ERRORS:
        return 1


def _encoded(image: Any, dpi: float, compression: Compression) -> Picture:
    """Upright, on white, in a form that a PDF may hold."""
    from PIL import ImageOps

    had_loss = image.format in _WITH_A_LOSS
    flat = _on_white(ImageOps.exif_transpose(image))
    if flat.mode == "1":
        data = _saved(flat, "TIFF", compression="group4")
    elif not compression.is_lossy(usually=had_loss):
        data = _saved(flat, "PNG", compress_level=3)
    else:
        data = _saved(flat, "JPEG", quality=compression.quality or _QUALITY)
        if not had_loss:  # of a drawing or a screenshot the exact one may be the smaller
            data = min(data, _saved(flat, "PNG"), key=len)
    return Picture(data, flat.width, flat.height, dpi)


def _saved(picture: Any, form: str, **how: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **how)
    return out.getvalue()


def _on_white(image: Any) -> Any:
    from PIL import Image

    if image.mode in ("1", "L", "RGB"):
        return image if "transparency" not in image.info else _on_white(image.convert("RGBA"))
    if image.mode in _GRAY_16:
        return _gray(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        seen = image.convert("RGBA")
        flat = Image.new("RGB", seen.size, "white")
        flat.paste(seen, mask=seen.getchannel("A"))
        return flat
    return image.convert("RGB")


def _gray(image: Any) -> Any:
    """Shades of more than 8 bits: the range that is used becomes that from black to white."""
    wide = image.convert("F")
    low, high = wide.getextrema()
    scale = 255 / (high - low) if high > low else 1
    return wide.point(lambda shade: shade * scale - low * scale).convert("L")
