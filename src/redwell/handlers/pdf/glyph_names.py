"""What the names of glyphs stand for, as fonts of Adobe's kinds write them. Called by the PDF reader in a child.

The names that Latin and Greek text is set in; Adobe's whole list has four thousand.
"""

import re
import unicodedata

_LISTED = """
exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft ( parenright ) asterisk *
plus + comma , hyphen - period . slash / colon : semicolon ; less < equal = greater > question ? at @ bracketleft [
backslash \\ bracketright ] asciicircum ^ underscore _ grave ` braceleft { bar | braceright } asciitilde ~
zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ff ff fi fi fl fl ffi ffi ffl ffl
quoteleft ‘ quoteright ’ quotesinglbase ‚ quotedblleft “ quotedblright ” quotedblbase „ guillemotleft «
guillemotright » guilsinglleft ‹ guilsinglright › endash – emdash — bullet • ellipsis … dagger † daggerdbl ‡
perthousand ‰ exclamdown ¡ questiondown ¿ cent ¢ sterling £ yen ¥ Euro € currency ¤ florin ƒ section § paragraph ¶
copyright © registered ® trademark ™ degree ° periodcentered · plusminus ± multiply × divide ÷ minus − fraction ⁄
onehalf ½ onequarter ¼ threequarters ¾ germandbls ß ae æ AE Æ oe œ OE Œ oslash ø Oslash Ø eth ð Eth Ð thorn þ
Thorn Þ lslash ł Lslash Ł dcroat đ Dcroat Đ dotlessi ı lessequal ≤ greaterequal ≥ notequal ≠ infinity ∞
partialdiff ∂ summation ∑ integral ∫ arrowright →
""".split()  # noqa: RUF001  # the characters are meant
_NAMED = {"space": " ", **dict(zip(_LISTED[::2], _LISTED[1::2], strict=True))}
_MARKS = {
    "grave": "\u0300",
    "acute": "\u0301",
    "circumflex": "\u0302",
    "tilde": "\u0303",
    "macron": "\u0304",
    "breve": "\u0306",
    "dotaccent": "\u0307",
    "dieresis": "\u0308",
    "ring": "\u030a",
    "hungarumlaut": "\u030b",
    "caron": "\u030c",
    "cedilla": "\u0327",
    "ogonek": "\u0328",
    "commaaccent": "\u0326",
}
_ACCENTED = re.compile(f"([A-Za-z])({'|'.join(_MARKS)})")
_NUMBERED = re.compile(r"uni((?:[0-9A-F]{4}){1,4})|u([0-9A-F]{4,6})")


def characters(name: str) -> str:
    """The characters that a glyph of this name shows; empty where the name says nothing."""
    name = name.partition(".")[0]  # what follows is its style, as in "a.sc"
    if len(name) == 1:
        return name
    if name in _NAMED:
        return _NAMED[name]
    if accented := _ACCENTED.fullmatch(name):
        return unicodedata.normalize("NFC", accented[1] + _MARKS[accented[2]])
    if numbered := _NUMBERED.fullmatch(name):
        return _by_number(*numbered.groups(""))
    return _greek(name)


def _by_number(pairs: str, single: str) -> str:
    """`uni` stands before any number of UTF-16 units, `u` before one code point."""
    if pairs:
        return bytes.fromhex(pairs).decode("utf-16-be", "ignore")
    point = int(single, 16)
    return chr(point) if point < 0x110000 and not 0xD800 <= point < 0xE000 else ""


def _greek(name: str) -> str:
    size = "CAPITAL" if name[:1].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}") if name.isascii() else ""
    except KeyError:
        return ""
