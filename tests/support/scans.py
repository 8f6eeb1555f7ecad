"""Pages that look as if they were scanned, with the place of each word on them."""

import io
import random
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Dictionary, Name
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LETTER = (
    "The inspection of the boiler house took place on Monday.",
    "Both valves were closed by the engineer before the test,",
    "and the pressure fell slowly during the whole afternoon.",
    "Nobody opened the second gate until the report was signed.",
    "A copy of these minutes goes to the insurance company.",
)
GERMAN = (
    "Die Prüfung des Kessels fand am Montag in der Früh statt.",
    "Beide Ventile wurden vor dem Versuch vom Meister geschlossen,",
    "und der Druck ist während des ganzen Nachmittags gefallen.",
    "Niemand öffnete das zweite Tor, bevor der Bericht vorlag.",
)


class Place(NamedTuple):
    """A word and where it was drawn, in fractions of the page."""

    word: str
    left: float
    top: float
    right: float
    bottom: float


class Scan(NamedTuple):
    picture: Any
    places: list[Place]


def page_of(
    lines: tuple[str, ...] = LETTER, *, dpi: int = 300, points: float = 11, size: tuple[float, float] = (6, 3)
) -> Scan:
    """Black words on white paper of so many inches."""
    width, height = int(size[0] * dpi), int(size[1] * dpi)
    picture = Image.new("L", (width, height), 255)
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(FONT, round(points * dpi / 72))
    places, top = [], dpi * 0.4
    for line in lines:
        left = dpi * 0.4
        for word in line.split():
            draw.text((left, top), word, font=font, fill=0)
            x0, y0, x1, y1 = draw.textbbox((left, top), word, font=font)
            places.append(Place(word, x0 / width, y0 / height, x1 / width, y1 / height))
            left += draw.textlength(word + " ", font=font)
        top += points * dpi / 72 * 1.6
    return Scan(picture, places)


def noisy(picture: Any, share: float = 0.02) -> Any:
    """With specks of both colours."""
    made, chance = picture.copy(), random.Random(1)
    pixels = made.load()
    for _ in range(int(made.width * made.height * share)):
        pixels[chance.randrange(made.width), chance.randrange(made.height)] = chance.choice((0, 255))
    return made


def skewed(picture: Any, degrees: float = 3) -> Any:
    return picture.rotate(degrees, Image.Resampling.BICUBIC, expand=False, fillcolor=255)


def blurred(picture: Any, radius: float = 1) -> Any:
    return picture.filter(ImageFilter.GaussianBlur(radius))


def shaded(picture: Any) -> Any:
    """Dark to one side, as a page near the fold of a book is."""
    shadow = Image.linear_gradient("L").rotate(90).resize(picture.size).point(lambda shade: 90 + shade * 165 // 255)
    return ImageChops.multiply(picture, shadow)


def in_deep_shadow(picture: Any) -> Any:
    """As a telephone takes it in a bad light: a tenth of the light at one side, a third at the other, and its noise."""
    shadow = Image.linear_gradient("L").rotate(90).resize(picture.size).point(lambda shade: 25 + shade * 60 // 255)
    return ImageChops.add(ImageChops.multiply(picture, shadow), Image.effect_noise(picture.size, 3), 1, -128)


def photograph(width: int = 900, height: int = 700) -> Any:
    """Soft shapes in many shades, without an even ground."""
    noise = Image.effect_noise((width // 8, height // 8), 90).resize((width, height), Image.Resampling.BICUBIC)
    return ImageChops.overlay(
        noise.filter(ImageFilter.GaussianBlur(6)), Image.linear_gradient("L").resize((width, height))
    )


def leaves(width: int = 900, height: int = 700) -> Any:
    """A photograph full of small sharp shapes."""
    small = Image.effect_noise((width // 4, height // 4), 90).resize((width, height), Image.Resampling.BICUBIC)
    return ImageChops.multiply(small, Image.linear_gradient("L").rotate(90).resize(small.size))


def logo(width: int = 900, height: int = 700) -> Any:
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((width * 0.3, height * 0.2, width * 0.7, height * 0.7), fill=(200, 20, 20))
    draw.text((width * 0.38, height * 0.75), "ACME", font=ImageFont.truetype(FONT, 70), fill=(20, 20, 120))
    return picture


def as_file(picture: Any, kind: str = "PNG", **how: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def pdf_of(*pictures: Any, dpi: int = 300) -> Any:
    """A PDF whose pages are these pictures and nothing else."""
    document = pikepdf.new()
    for picture in pictures:
        add_picture(document, picture, dpi)
    return document


def add_picture(document: Any, picture: Any, dpi: int = 300, more: bytes = b"") -> Any:
    width, height = picture.width * 72 / dpi, picture.height * 72 / dpi
    page = document.add_blank_page(page_size=(width, height))
    image = document.make_stream(as_file(picture.convert("L"), "JPEG", quality=90))
    image.update(
        Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=picture.width, Height=picture.height,
            ColorSpace=Name.DeviceGray, BitsPerComponent=8, Filter=Name.DCTDecode,
        )
    )  # fmt: skip
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    page.obj["/Resources"] = Dictionary(XObject=Dictionary(Im=image), Font=Dictionary(F1=font))
    page.obj["/Contents"] = document.make_stream(b"q %f 0 0 %f 0 0 cm /Im Do Q " % (width, height) + more)
    return page


def half_in_the_dark(picture: Any) -> Any:
    """The left half has a fiftieth of the light, which is less than the noise of the camera."""
    shadow = Image.new("L", picture.size, 255)
    shadow.paste(5, (0, 0, picture.width // 2, picture.height))
    shadow = shadow.filter(ImageFilter.GaussianBlur(picture.width // 60))
    return ImageChops.add(ImageChops.multiply(picture, shadow), Image.effect_noise(picture.size, 5), 1, -128)
