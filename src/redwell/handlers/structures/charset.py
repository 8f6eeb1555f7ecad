"""Turns bytes of any encoding into characters. Called by the text, html and mail handlers in a child."""

import codecs
import re

from redwell.handlers.detect.plain_text import byte_order_mark, ebcdic, unmarked_unicode

_SAMPLE = 1 << 16  # a detector gains nothing from more
_MOST_REPLACED = 0.05
_C1 = re.compile(r"[\x80-\x9f]")
_OTHER_SCRIPT = re.compile(r"([A-Za-z]?)([\u0370-\uffef]+)(?=([A-Za-z]?))")
# What a detector may say: encodings that office files and mail come in. Rarer ones only win by mistake.
_LATIN = (
    *("windows-1252", "windows-1250", "windows-1254", "windows-1257", "iso-8859-2", "mac-roman"),
    *("cp850", "cp437", "cp852", "cp857"),
)
_LIKELY = (
    *_LATIN,
    *("windows-1251", "koi8-r", "koi8-u", "cp866", "iso-8859-5", "mac-cyrillic", "windows-1253", "iso-8859-7"),
    *("windows-1255", "iso-8859-8", "windows-1256", "iso-8859-6", "iso-8859-9", "windows-874", "windows-1258"),
    *("shift_jis", "cp932", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr", "cp949", "iso-2022-kr", "hz-gb-2312"),
)
_ENOUGH_TO_GUESS = 4
_INSIDE_WORDS = re.compile(r"(?<=[a-z])([^\x00-\x7f])(?=[a-z])")
_WINDOWS_ONLY = re.compile(rb"[\x80-\x9f]")
_LATIN_9 = re.compile(rb"\d ?\xa4|\xa4 ?\d|(?<=[a-z])[\xa8\xb8\xbd](?=[a-z])|\b[\xbc\xbd](?=u[fv]|il)")
_HZ_RUN = re.compile(rb"~\{(?:[!-w][!-~])+~\}")
_HIGH = bytes(range(0x80, 0x100))
_UNUSABLE = dict.fromkeys([0, *range(0xD800, 0xE000)])  # neither can be stored as UTF-8 text in every database

# What mail and web pages call encodings, where Python has another name or a superset that decodes the same and more.
_ALIASES = {
    **dict.fromkeys(("", "us-ascii", "ascii", "ansi_x3.4-1968", "ansi_x3.110-1983", "unknown-8bit", "x-unknown"), ""),
    **dict.fromkeys(("unknown", "default", "default_charset", "none", "binary", "8bit", "user-defined"), ""),
    **dict.fromkeys(("x-user-defined", "utf-7-imap"), ""),
    **dict.fromkeys(("utf8", "utf8mb4", "utf-8-sig", "unicode-1-1-utf-8", "x-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "unicode", "ucs-2", "iso-10646-ucs-2"), "utf-16"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "x-ansi", "ansi", "cp-1252"), "cp1252"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ks_c_5601", "ksc5601", "windows-949", "korean"), "cp949"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80", "cp936", "windows-936", "chinese"), "gb18030"),
    **dict.fromkeys(("big5", "x-x-big5", "cn-big5", "big5-hkscs"), "big5hkscs"),
    **dict.fromkeys(("windows-874", "tis-620", "iso-8859-11", "dos-874"), "cp874"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e", "logical", "visual"), "iso8859-8"),
    **dict.fromkeys(("iso-8859-6-i", "iso-8859-6-e"), "iso8859-6"),
    **dict.fromkeys(("x-mac-roman", "macintosh", "x-macroman", "mac"), "mac-roman"),
    **dict.fromkeys(("x-mac-cyrillic", "x-mac-ukrainian"), "mac-cyrillic"),
    **dict.fromkeys(("x-euc-jp", "x-eucjp"), "euc-jp"),
    **dict.fromkeys(("unicode-1-1-utf-7", "x-unicode-2-0-utf-7"), "utf-7"),
    **dict.fromkeys(("koi8", "koi"), "koi8-r"),
}
_MANY_BYTES = frozenset(
    ("cp932", "cp949", "gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "iso2022_kr", "hz", "utf-7", "utf-16")
)
# An ISO page that shows control characters was the Windows page of the same script.
_WINDOWS_SIBLINGS = {
    "iso8859-1": "cp1252",
    "iso8859-2": "cp1250",
    "iso8859-6": "cp1256",
    "iso8859-7": "cp1253",
    "iso8859-8": "cp1255",
    "iso8859-9": "cp1254",
    "iso8859-13": "cp1257",
    "iso8859-15": "cp1252",
}


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """The text and the encoding it was in. Never fails: what no encoding explains becomes U+FFFD."""
    encoding = encoding_of(data, declared)
    mark = byte_order_mark(data)
    text, _ = codecs.lookup(encoding).decode(data[mark[1] :] if mark else data, "replace")
    return usable(text), encoding


def usable(text: str) -> str:
    """The text without zero characters and halves of surrogate pairs."""
    if text.isascii() and "\0" not in text:
        return text
    return text.translate(_UNUSABLE) if "\0" in text or not _is_storable(text) else text


def _is_storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def encoding_of(data: bytes, declared: str = "") -> str:
    """The encoding that explains these bytes: a mark, then what was declared, then UTF-8, then a guess."""
    mark = byte_order_mark(data)
    if mark:
        return mark[0]
    told = known_encoding(declared)
    if told in _MANY_BYTES and _decodes(data, told):
        return told
    if _is_hz(data):
        return "hz"
    if b"\x1b" not in data and b"\0" not in data and (data.isascii() or _decodes(data, "utf-8")):
        return "utf-8"  # chance seldom makes valid UTF-8
    if told and _decodes(data, told):
        return told
    if told and _share_replaced(data, told) < _MOST_REPLACED:
        return told
    if _mostly_utf8(data[:_SAMPLE]):
        return "utf-8"
    return unmarked_unicode(data[:_SAMPLE]) or ebcdic(data[:_SAMPLE]) or guess(data[:_SAMPLE])


def _is_hz(data: bytes) -> bool:
    """Chinese in seven bits: runs of pairs between ~{ and ~}, and nothing else that begins so."""
    runs = len(_HZ_RUN.findall(data)) if b"~{" in data else 0
    return runs > 1 and runs == data.count(b"~{") == data.count(b"~}") and data.isascii() and _decodes(data, "hz")


def known_encoding(label: str) -> str:
    """Python's name for a label found in the wild; empty where it means nothing."""
    label = label.strip().strip("\"'").lower().replace(" ", "")
    name = _ALIASES.get(label, label)
    try:
        info = codecs.lookup(name) if name else None
    except (LookupError, ValueError):
        return ""
    return info.name if info and getattr(info, "_is_text_encoding", True) else ""


def guess(sample: bytes) -> str:
    """The likeliest encoding of text that is not UTF-8 and says nothing about itself."""
    if len(sample) - len(sample.translate(None, _HIGH)) < _ENOUGH_TO_GUESS and _is_western(sample):
        return "iso8859-15" if _has_euros(sample) else "cp1252"
    found = _detected(sample, _LIKELY)
    if _breaks_words(sample.decode(found, "replace")):
        found = _detected(sample, _LATIN)
    text = sample.decode(found, "replace")
    if _C1.search(text) or ("ł" in text and "š" in text):  # no language has both; Polish has ą there on Windows
        return _WINDOWS_SIBLINGS.get(found, found)
    is_iso = found == "cp1250" and not _WINDOWS_ONLY.search(sample)
    if is_iso and "ą" in text and ("ř" in text or "ě" in text):  # š of ISO's page, seen on Windows
        return "iso8859-2"
    return "iso8859-15" if found == "cp1252" and _has_euros(sample) else found


def _detected(sample: bytes, among: tuple[str, ...]) -> str:
    import chardet

    return known_encoding(str(chardet.detect(sample, include_encodings=among)["encoding"] or "")) or "cp1252"


def _is_western(sample: bytes) -> bool:
    """True for a few odd bytes that make sense in Western Europe: letters inside words are small ones."""
    if b"\x1b" in sample or not _decodes(sample, "cp1252"):
        return False
    return all(char.islower() or char in "\u2019\xad" for char in _INSIDE_WORDS.findall(sample.decode("cp1252")))


def _has_euros(sample: bytes) -> bool:
    """True for a text of Unix whose signs of currency stand beside numbers, or whose fractions stand inside words."""
    return not _WINDOWS_ONLY.search(sample) and bool(_LATIN_9.search(sample))


def _breaks_words(text: str) -> bool:
    """True where letters of another script stand one by one inside Latin words: a Latin text read wrongly."""
    runs = _OTHER_SCRIPT.findall(text)
    return sum(len(run) <= 2 and bool(before or after) for before, run, after in runs) * 2 > len(runs)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.lookup(encoding).decode(data, "strict")
    except (UnicodeError, ValueError):
        return False
    return True


def _mostly_utf8(sample: bytes) -> bool:
    """UTF-8 with a few bad bytes, as in logs written by several programs."""
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return bad * 10 < sum(char > "\x7f" for char in text) - bad and b"\0" not in sample


def _share_replaced(data: bytes, encoding: str) -> float:
    text, _ = codecs.lookup(encoding).decode(data[:_SAMPLE], "replace")
    return text.count("\ufffd") / max(1, len(text))
