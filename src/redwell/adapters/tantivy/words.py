"""How text is cut into words: the same for what is indexed and for what is asked. Used by the index adapter.

Any change here means another VERSION: an index built with other rules would miss what it holds.
docs/search.md states these rules for the people who agree on search terms.
"""

import re
import unicodedata

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

VERSION = 1

# Scripts written without spaces: every character is a word, and a run of them in a query is a phrase.
# Thai, Lao, Myanmar, Hangul, Khmer, Japanese kana, Bopomofo, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Ligatures, Arabic presentation forms, full-width and half-width letters: PDFs are full of them.
_FORMS = "\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc\uff01-\uffef"
_INVISIBLE = "\u00ad\u2060\ufeff"  # soft hyphen, word joiner, byte-order mark
_SURROGATES = "\ud800-\udfff"  # bytes of a file name that is not UTF-8

unspaced = re.compile(f"[{_UNSPACED}]")
_forms = re.compile(f"[{_FORMS}]+")
_invisible = re.compile(f"[{_INVISIBLE}]")
_surrogates = re.compile(f"[{_SURROGATES}]")
_unclean = re.compile(f"[{_FORMS}{_INVISIBLE}{_SURROGATES}]")


def words() -> TextAnalyzer:
    """Runs of letters and digits in lower case; nothing is stemmed, left out, or too long."""
    return TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase()).build()


def whole() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.lowercase()).build()


def cleaned(text: str) -> str:
    """The text as people read it: one form for each letter, nothing invisible inside a word."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if _unclean.search(text):
        text = _surrogates.sub("\ufffd", _invisible.sub("", text))
        text = _forms.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    return text


def spaced(text: str) -> str:
    """Cleaned text, with the characters of unspaced scripts set apart for the word cutter."""
    if text.isascii():
        return text
    text = cleaned(text)
    return unspaced.sub(r" \g<0> ", text) if unspaced.search(text) else text
