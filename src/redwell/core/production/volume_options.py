"""In which form a production is written: a preset of who receives it, and every option by itself. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from redwell.core.compression import PRODUCED_QUALITY, TIFF_PACKING
from redwell.core.errors import UserError
from redwell.core.loadfiles.formats.dialect import COMMA, Dialect
from redwell.core.loadfiles.presets import PRESETS, Layout

FORMATS = ("dat", "csv", "opt", "lfp", "edrm")
IMAGES = ("images", "pdf")
_DEFAULTS = {"nextpoint": ("pdf", ("csv",)), "doj": ("images", ("dat", "opt"))}
_TEXTS = {"encoding", "date_format", "time_format", "lead"}
_FLAGS = {"mark", "volume_column", "split_times"}
_NUMBERS = {"files_per_folder", "records_per_file"}
_SIGNS = {"separator", "qualifier", "newline_sign", "multi", "nested"}
_ESCAPES = ("double", "backslash", "none")
OPTIONS: Mapping[str, str] = {
    "images": "`images`: a TIFF or JPEG for each page; `pdf`: a PDF for each document",
    "formats": "load files, by commas: dat, csv, opt, lfp, edrm",
    "dpi": "pixels an inch of pages, 72 to 600",
    "tiff": "how TIFFs of black and white pages are packed: group4, lzw, deflate, none (setting `tiff_compression`)",
    "shades": "pages with colours or shades: `jpeg`, or `tiff` without a loss",
    "quality": "of JPEGs, 1 to 100 (setting `jpeg_quality`, else 82)",
    "encoding": "of the load file: utf-8, utf-16-le, cp1252",
    "mark": "yes or no: whether it begins with a byte-order mark",
    "header_case": "upper, lower or `as is`",
    "separator": "between values: a sign or its code point, such as 20",
    "qualifier": "around values",
    "qualify": "all or needed: which values the qualifier encloses",
    "escape": "of a qualifier inside a value: double, backslash, or none (it gets a stand-in)",
    "record_end": "of rows: crlf or lf",
    "newline_sign": "for a line break inside a value",
    "multi": "between several values of a field",
    "nested": "between the levels of a nested value",
    "slash": "of paths: \\ or /",
    "lead": "before paths: nothing, .\\ or \\",
    "volume_column": "yes or no: whether the OPT names the volume",
    "date_format": "of dates, such as %m/%d/%Y",
    "time_format": "of times, such as %H:%M:%S",
    "split_times": "yes or no: whether times have columns of their own",
    "files_per_folder": "at most so many files in one folder",
    "records_per_file": "at most so many records in one load file (0: any number)",
    "folders": "of load files, images, natives and texts, by commas",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeOptions:
    preset: str
    layout: Layout
    volume: str
    images: Literal["images", "pdf"]
    formats: tuple[str, ...]
    dpi: int = 300
    tiff: str = "group4"
    shades: Literal["jpeg", "tiff"] = "jpeg"
    quality: int = PRODUCED_QUALITY


def options_of(preset: str, volume: str, given: Mapping[str, str]) -> VolumeOptions:
    """UserError names what can't be."""
    if preset not in PRESETS:
        raise UserError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    images, formats = _DEFAULTS.get(preset, ("images", ("dat", "opt")))
    layout, of_pages = PRESETS[preset], dict[str, Any](images=images, formats=formats)
    for name, value in given.items():
        if name in _OF_PAGES:
            of_pages[name] = _OF_PAGES[name](value)
        else:
            layout = _changed(layout, name, value)
    return VolumeOptions(preset=preset, layout=layout, volume=volume, **of_pages)


def _changed(layout: Layout, name: str, value: str) -> Layout:
    if name == "escape":
        return replace(layout, dialect=_with_sign(layout.dialect, name, _one_of(name, value, _ESCAPES)))
    if name == "record_end":
        end = "\n" if _one_of(name, value, ("crlf", "lf")) == "lf" else "\r\n"
        return replace(layout, dialect=_with_sign(layout.dialect, name, end))
    if name in _SIGNS:
        return replace(layout, dialect=_with_sign(layout.dialect, name, sign(value)))
    readers: dict[str, Callable[[], Any]] = {
        **dict.fromkeys(_TEXTS, lambda: _checked_text(name, value)),
        **dict.fromkeys(_FLAGS, lambda: _one_of(name, value, ("yes", "no")) == "yes"),
        **dict.fromkeys(_NUMBERS, lambda: _number(name, value, 0 if name.startswith("records") else 1, 10_000_000)),
        "qualify": lambda: _one_of(name, value, ("all", "needed")),
        "header_case": lambda: _one_of(name, value, ("as is", "upper", "lower")),
        "slash": lambda: _one_of(name, value, ("\\", "/")),
        "folders": lambda: _folders(value),
    }
    if name not in readers:
        raise UserError(f"there is no option {name!r}; there are {', '.join(OPTIONS)}")
    return replace(layout, **{name: readers[name]()})


def _with_sign(dialect: Dialect, name: str, value: str) -> Dialect:
    signs: dict[str, Any] = {name: value}
    return replace(dialect, **signs)


def _checked_text(name: str, value: str) -> str:
    if name == "encoding":
        try:
            "þ".encode(value)
        except (LookupError, UnicodeEncodeError):
            raise UserError(f"{value!r} is no encoding that has all signs; utf-8, utf-16-le and cp1252 have") from None
    return value


def _folders(value: str) -> tuple[str, str, str, str]:
    names = tuple(each.strip() for each in value.split(","))
    if len(names) != 4 or len(set(names)) < 4 or not all(name.replace("_", "").isalnum() for name in names):
        raise UserError("folders are four different names, such as DATA,IMAGES,NATIVES,TEXT")
    return names[0], names[1], names[2], names[3]


def sign(value: str) -> str:
    """A sign as it is, or the number of its code point."""
    return chr(int(value)) if value.isdecimal() and len(value) > 1 and int(value) < 0x110000 else value


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise UserError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


def _number(name: str, value: str, least: int, most: int) -> int:
    if not value.isdecimal() or not least <= int(value) <= most:
        raise UserError(f"{name} is a number from {least:,} to {most:,}, not {value!r}")
    return int(value)


_OF_PAGES: Mapping[str, Callable[[str], Any]] = {
    "images": lambda value: _one_of("images", value, IMAGES),
    "formats": lambda value: tuple(_one_of("formats", each.strip(), FORMATS) for each in value.split(",")),
    "dpi": lambda value: _number("dpi", value, 72, 600),
    "tiff": lambda value: _one_of("tiff", value, tuple(TIFF_PACKING)),
    "shades": lambda value: _one_of("shades", value, ("jpeg", "tiff")),
    "quality": lambda value: _number("quality", value, 1, 100),
}


def as_csv(layout: Layout) -> Layout:
    """The same for a spreadsheet beside the load file."""
    return (
        layout
        if layout.dialect.separator == COMMA.separator
        else replace(layout, dialect=COMMA, encoding="utf-8", mark=True)
    )
