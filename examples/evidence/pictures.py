"""Small pictures: a photograph with EXIF, a logo, a scan of two pages."""

import io

from PIL import Image, ImageDraw

_MAKE, _MODEL, _TAKEN = 0x010F, 0x0110, 0x0132


def photograph(caption: str) -> bytes:
    """A JPEG that says when and with what it was taken."""
    picture = Image.linear_gradient("L").resize((320, 240)).convert("RGB")
    ImageDraw.Draw(picture).text((12, 12), caption, fill="white")
    exif = Image.Exif()
    exif.update({_MAKE: "Example Optics", _MODEL: "Field Camera 2", _TAKEN: "2023:05:02 14:08:00"})
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=80, exif=exif)
    return buffer.getvalue()


def logo() -> bytes:
    picture = Image.new("RGB", (120, 40), "white")
    ImageDraw.Draw(picture).rectangle((4, 4, 115, 35), outline="navy", width=3)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def scan(pages: list[str]) -> bytes:
    """A TIFF with one black and white frame per page."""
    frames = []
    for text in pages:
        frame = Image.new("1", (620, 877), 1)
        ImageDraw.Draw(frame).text((60, 60), text, fill=0)
        frames.append(frame)
    buffer = io.BytesIO()
    frames[0].save(buffer, "TIFF", save_all=True, append_images=frames[1:], compression="tiff_lzw")
    return buffer.getvalue()
