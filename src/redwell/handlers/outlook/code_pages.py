"""What Windows' code pages are called in mail, and to Python. Runs in a child."""

_NAMES = {
    1200: "utf-16-le",
    10000: "macintosh",
    20127: "us-ascii",
    20866: "koi8-r",
    21866: "koi8-u",
    28603: "iso-8859-13",
    28605: "iso-8859-15",
    38598: "iso-8859-8",
    50220: "iso-2022-jp",
    50221: "iso-2022-jp",
    50222: "iso-2022-jp",
    50225: "iso-2022-kr",
    51932: "euc-jp",
    51936: "gb2312",
    51949: "euc-kr",
    52936: "hz-gb-2312",
    54936: "gb18030",
    65000: "utf-7",
    65001: "utf-8",
    932: "shift_jis",
    936: "gb2312",
    949: "euc-kr",
    950: "big5",
    **{28590 + part: f"iso-8859-{part}" for part in range(1, 10)},
    **{page: f"windows-{page}" for page in (874, *range(1250, 1259))},
}


def charset_of(code_page: int) -> str:
    """The name of an encoding, empty where there is none."""
    return _NAMES.get(code_page, f"cp{code_page}" if 0 < code_page < 2000 else "")
