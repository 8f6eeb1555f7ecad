"""Which of the installed languages a page is worth to be read in. Pure.

Recognition asks it with what a first reading looks like, or with the script that its letters are of.
"""

from collections.abc import Collection, Sequence

# ISO 639-1, as languages are told from text, and Tesseract's names
_NAMES = dict(
    pair.split(":")
    for pair in "en:eng de:deu fr:fra es:spa it:ita nl:nld pt:por pl:pol cs:ces sk:slk sl:slv hr:hrv sv:swe da:dan"
    " no:nor fi:fin et:est lv:lav lt:lit hu:hun ro:ron tr:tur el:ell ru:rus uk:ukr bg:bul sr:srp ar:ara he:heb fa:fas"
    " ur:urd hi:hin bn:ben th:tha vi:vie id:ind zh:chi_sim ja:jpn ko:kor ca:cat eu:eus gl:glg is:isl ga:gle af:afr"
    " sq:sqi ka:kat hy:hye ta:tam te:tel".split()
)
_OF_SCRIPT = {
    "Cyrillic": ("rus", "ukr", "bul", "srp"),
    "Greek": ("ell",),
    "Arabic": ("ara", "fas", "urd"),
    "Hebrew": ("heb",),
    "Han": ("chi_sim", "chi_tra"),
    "Japanese": ("jpn",),
    "Hangul": ("kor",),
    "Korean": ("kor",),
    "Devanagari": ("hin",),
    "Thai": ("tha",),
    "Georgian": ("kat",),
    "Armenian": ("hye",),
    "Bengali": ("ben",),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
}


def wanted_in(setting: str) -> tuple[str, ...]:
    """The languages of the setting `ocr_languages`, each once."""
    return tuple(dict.fromkeys(filter(None, setting.replace(",", "+").split("+")))) or ("eng",)


def by_text(language: str, used: Sequence[str], installed: Collection[str]) -> tuple[str, ...]:
    """The language that a text turned out to be in, where it was not read in it and could be; else nothing."""
    name = _NAMES.get(language, "")
    return (name,) if name in installed and name not in used else ()


def by_script(script: str, used: Sequence[str], installed: Collection[str]) -> tuple[str, ...]:
    """Up to two languages of this script; nothing where one of them was used, or none is there."""
    names = _OF_SCRIPT.get(script, ())
    if not set(names).isdisjoint(used):
        return ()
    return tuple(name for name in names if name in installed)[:2]
