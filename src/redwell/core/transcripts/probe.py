"""Could a text be a transcript? Asked with its first bytes, in a child; the handler then reads all of it. Pure."""

import re

_WORDS = re.compile(
    rb"\b(deposition|transcript|examination|witness|court|report(?:er|ing)|sworn|proceedings|hearing|appearances"
    rb"|plaintiffs?|defendants?|petitioner|respondent|deponent|testimony|counsel)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rb"\n[ \t\f]*\d")  # how every line begins that one of the next two finds
_NUMBERED = re.compile(rb"^[ \t\f]*(?:\d{1,2}:\d\d(?::\d\d)?[ \t]+)?(\d{1,2})(?:[ \t]|\r?$)", re.MULTILINE)
_CITED = re.compile(rb"^[ \t]{0,6}(\d{1,6}):(\d{1,2})(?:[ \t]|\r?$)", re.MULTILINE)
_TITLE = re.compile(
    rb"^[ \t\d]*(?:VIDEO\w*[ \t-]+)?(?:DEPOSITION[ \t]+OF|(?:REPORTER'S[ \t]+)?TRANSCRIPT[ \t]+OF[ \t]+PROC)",
    re.MULTILINE,
)
_TITLE_WORDS = (b"DEPOSITION", b"TRANSCRIPT")
_FEWEST = 8
_QUESTIONS = re.compile(rb"^[ \t\d:]*\b([QA])[.:]?[ \t]{1,6}\S", re.MULTILINE)


def may_be_transcript(head: bytes) -> bool:
    """True for numbered lines and the words of a court, or for a title that says so."""
    has_numbers = len(_NUMBER.findall(b"\n" + head)) >= _FEWEST  # quick: every text is asked
    if has_numbers and _is_cited(head):
        return True
    if not (has_numbers and _rises([int(number) for number in _NUMBERED.findall(head)])) and not _is_titled(head):
        return False
    words = {word.lower() for word in _WORDS.findall(head)}
    return len(words) + len(set(_QUESTIONS.findall(head))) >= 2


def _is_cited(head: bytes) -> bool:
    cited = [(int(page), int(line)) for page, line in _CITED.findall(head)]
    return len(cited) >= _FEWEST and cited[0][1] == 1 and _rises([line for _, line in cited])


def _is_titled(head: bytes) -> bool:
    return any(word in head for word in _TITLE_WORDS) and _TITLE.search(head) is not None


def _rises(numbers: list[int]) -> bool:
    """A run of one more each time, from 1, as long as a short page."""
    longest = run = 0
    for number in numbers:
        run = run + 1 if number == run + 1 else 1 if number == 1 else run
        longest = max(longest, run)
    return longest >= _FEWEST
