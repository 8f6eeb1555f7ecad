"""The codecs behind Microsoft's numbers of code pages. Used by the readers of Office files and messages in a child."""

import codecs

_CODE_PAGES = {
    **{28590 + part: f"iso8859-{part}" for part in (*range(1, 12), *range(13, 17))},
    **dict.fromkeys((50220, 50221, 50222), "iso2022_jp"),
    **dict.fromkeys((936, 20936, 51936, 54936), "gb18030"),
    932: "cp932", 949: "cp949", 950: "big5hkscs", 1200: "utf-16-le", 1201: "utf-16-be", 1361: "johab", 20127: "",
    20866: "koi8-r", 21866: "koi8-u", 20932: "euc_jp", 51932: "euc_jp", 51949: "cp949", 50225: "iso2022_kr",
    52936: "hz", 65000: "utf-7", 65001: "utf-8",
    # the Macintosh's, and that of its files in Excel before 97
    10000: "mac-roman", 10001: "shift_jis", 10002: "big5", 10003: "cp949", 10004: "mac-arabic", 10006: "mac-greek",
    10007: "mac-cyrillic", 10008: "gb18030", 10029: "mac-latin2", 10079: "mac-iceland", 10081: "mac-turkish",
    0x8000: "mac-roman",
}  # fmt: skip


def label(number: int) -> str:
    """A label that `charset.decode` knows; empty where the number says nothing."""
    return _CODE_PAGES.get(number, f"cp{number}") if number > 0 else ""


def codec(number: int, otherwise: str = "cp1252") -> str:
    """Python's name for the code page, or `otherwise` where there is none."""
    try:
        return codecs.lookup(label(number) or otherwise).name
    except LookupError:
        return otherwise
