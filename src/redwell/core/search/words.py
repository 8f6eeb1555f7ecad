"""How text is cut into words: the same for what is indexed, for what is asked, and for what is marked. Pure.

Any change here means another VERSION: an index built with other rules would miss what it holds.
docs/search.md states these rules for the people who agree on search terms.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

# 2: ordinals, raised and lowered digits and digits in circles are signs. 3: vowel points of Arabic and Hebrew do not
# count, and a Greek sigma at the end of a word is the same one as inside.
VERSION = 3

# Scripts written without spaces: every character is a word, and a run of them in a query is a phrase.
# Thai, Lao, Myanmar, Hangul, Khmer, Japanese kana, Bopomofo, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Ligatures, Arabic presentation forms, full-width and half-width letters: PDFs are full of them.
_FORMS = "\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc\uff01-\uffef"
# Soft hyphen, word joiner, byte-order mark; and what is written or left out as one likes: points and accents of Hebrew,
# vowel signs of Arabic and the stroke that makes its words longer.
_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670"
_INVISIBLE = f"\u00ad\u2060\ufeff{_POINTS}"
# Unicode counts these as letters or digits, people as signs: nº123 is the number 123, contract² a word with a footnote.
_SIGNS = "\u00aa\u00b2\u00b3\u00b9\u00ba\u2070-\u209c\u2460-\u249b\u24ea-\u24ff\u2776-\u2793"
_LAST_SIGMA = ("\u03c2", "\u03c3")
_SURROGATES = "\ud800-\udfff"  # bytes of a file name that is not UTF-8
# Vowel signs and other marks that Unicode counts as letters, and Python's `re` does not.
_MARKS = "".join(
    "-".join(chr(int(end, 16)) for end in span.split("-"))
    for span in (
        "345 363-36f 5b0-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-657 659-65f 670 6d6-6dc 6e1-6e8 6ed 711-73f 7a6-7b0 "
        "816-817 81b-82c 8d4-8df 8e3-8e9 8f0-93b 93e-94c 94e-94f 955-963 981-983 9be-9cc 9d7-9e3 a01-a03 a3e-a4c "
        "a51-a75 a81-a83 abe-acc ae2-ae3 afa-afc b01-b03 b3e-b4c b56-b63 b82-bcc bd7 c00-c04 c3e-c4c c55-c63 c81-c83 "
        "cbe-ccc cd5-d03 d3e-d4c d57-d63 d81-d83 dcf-df3 e31-e3a e4d eb1-eb9 ebb-ebc ecd f71-f83 f8d-fbc 102b-1036 "
        "1038 103b-103e 1056-109d 1712-1713 1732-1733 1752-1773 17b6-17c8 1885-1938 1a17-1a1b 1a55-1a5e 1a61-1a74 "
        "1abf-1ac0 1acc-1b04 1b35-1b43 1b80-1ba9 1bac-1bad 1be7-1bf1 1c24-1c36 1dd3-1df4 24b6-24e9 2de0-2dff "
        "a674-a67b a69e-a69f a802 a80b-a827 a880-a8c3 a8c5 a8ff-a92a a947-a952 a980-a983 a9b4-a9bf a9e5-aa4d "
        "aa7b-aabe aaeb-aaef aaf5 abe3-abea fb1e 10376-1037a 10a01-10a0f 10d24-10eac 11000-11045 11073-11074 "
        "11080-110b8 110c2 11100-11132 11145-11146 11180-111bf 111ce-111cf 1122c-11234 11237 1123e 112df-112e8 "
        "11300-11303 1133e-1134c 11357-11363 11435-11441 11443-11445 114b0-114c1 115af-115be 115dc-1163e 11640 "
        "116ab-116b5 1171d-1172a 1182c-11838 11930-1193c 11940-11942 119d1-119df 119e4-11a0a 11a35-11a3e 11a51-11a97 "
        "11c2f-11c3e 11c92-11d41 11d43 11d47-11d96 11ef3-11ef6 16f4f-16f92 16ff0-16ff1 1bc9e 1e000-1e02a 1e947 "
        "1f130-1f149 1f150-1f169 1f170-1f189"
    ).split()
)

# part of patterns: a letter or digit
LETTER = rf"(?:(?![{_SIGNS}])[^\W_]|[{_MARKS}])"

unspaced = re.compile(f"[{_UNSPACED}]")
_forms = re.compile(f"[{_FORMS}]+")
invisible = re.compile(f"[{_INVISIBLE}]")
_surrogates = re.compile(f"[{_SURROGATES}]")
_unclean = re.compile(f"[{_FORMS}{_INVISIBLE}{_SURROGATES}]")
_apart = re.compile(f"[{_UNSPACED}]|(?P<sign>[{_SIGNS}])")
_token = re.compile(rf"(?=[{_UNSPACED}]){LETTER}|(?:(?![{_UNSPACED}]){LETTER})+")
_cut = re.compile(r"\s")  # no word goes on behind it
_PASSAGE = 1_000
_plain_token = re.compile("[A-Za-z0-9]+")
_wanted = re.compile(rf"(?:(?=[{_UNSPACED}]){LETTER}|(?:(?![{_UNSPACED}]){LETTER}|[*?])+)(?:~[0-9]*(?!{LETTER}))?")


def cleaned(text: str) -> str:
    """The text as people read it: one form for each letter, nothing invisible inside a word."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if _unclean.search(text):
        text = _surrogates.sub("\ufffd", invisible.sub("", text))
        text = _forms.sub(lambda run: invisible.sub("", unicodedata.normalize("NFKC", run[0])), text)
    return text


def spaced(text: str) -> str:
    """Cleaned text, with the characters of unspaced scripts set apart for the word cutter, and without signs."""
    if text.isascii():
        return text
    text = _one_sigma(cleaned(text))
    return _apart.sub(lambda found: " " if found["sign"] else f" {found[0]} ", text) if _apart.search(text) else text


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Every word of a cleaned text in lower case, with where it begins and ends. As an index cuts them."""
    if text.isascii():
        for found in _plain_token.finditer(text):
            yield found[0].lower(), found.start(), found.end()
    else:
        for found in _token.finditer(text):
            yield lowered(found[0]), found.start(), found.end()


def tokens_near(text: str, wanted: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The words of those passages of a cleaned text that hold one of `wanted`, with their neighbours; an empty one
    stands for what was left out. Of a long text that is little, and found many times as fast."""
    wanted, left_out = [_one_sigma(word) for word in wanted], False
    start = 0
    while start < len(text):
        end = _cut.search(text, start + _PASSAGE)
        stop = end.end() if end else len(text)
        passage = text[start:stop]
        looked_at = _one_sigma(passage.lower())
        if any(word in looked_at for word in wanted):
            if left_out:
                yield "", start, start
            yield from ((word, start + first, start + last) for word, first, last in tokens(passage))
            left_out = False
        else:
            left_out = True
        start = stop


def _one_sigma(text: str) -> str:
    return text if text.isascii() else text.replace(*_LAST_SIGMA)


def words_of(text: str) -> tuple[str, ...]:
    """Runs of letters and digits in lower case; nothing is stemmed or left out."""
    if text.isascii():  # the same at a fifth of the time: every text is cut so for OpenSearch
        return tuple(_plain_token.findall(text.lower()))
    return tuple(word for word, _, _ in tokens(cleaned(text)))


def wanted_words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a query, with their wildcards and what follows a ~, and where each begins in the text."""
    for found in _wanted.finditer(text):
        yield lowered(found[0]), found.start()


def lowered(text: str) -> str:
    """Letter by letter: at the end of a word, a Greek sigma is the same one as inside."""
    return text.lower() if text.isascii() else _one_sigma("".join(letter.lower() for letter in text))


def unaccented(text: str) -> str:
    """The letters that accents, dots and rings stand on."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
