"""What a person does about an outcome or a problem: words, and where there is one the command that does it.

Every command here is run by a test as it is printed (tests/e2e/test_remedies.py).
"""

from typing import NamedTuple

from redwell.core.command_lines import command_line
from redwell.core.outcomes import Code, Outcome


class Remedy(NamedTuple):
    words: str
    verb: str = ""  # of `redwell`
    options: str = ""  # {outcome} stands for how the item ended

    def told(self, case: str, outcome: Outcome) -> str:
        if not self.verb:
            return self.words
        return f"{self.words}: {command_line(self.verb, case, *self.options.format(outcome=outcome).split())}"


_LIMIT = Remedy("raise the setting that the reason names; where it names none, review the native in its own program")
REMEDIES: dict[Outcome, Remedy] = {
    Outcome.SUCCESS: Remedy(""),
    Outcome.PARTIAL: Remedy("read the problem; open the native to see what is missing"),
    Outcome.PASSWORD_PROTECTED: Remedy(
        "collect the passwords, write them into a file, one a line",
        "retry",
        "--outcome {outcome} --passwords passwords.txt",
    ),
    Outcome.INVALID_FILE: Remedy("the bytes are damaged or not what they claim; ask the source for another copy"),
    Outcome.UNSUPPORTED: Remedy("no handler reads this type; review the native in its own program"),
    Outcome.EMPTY: Remedy("the file holds nothing; no action unless it should"),
    Outcome.FILTERED: Remedy("left out on purpose; no action"),
    Outcome.TIMED_OUT: Remedy(
        "review the native, or give it more time", "retry", "--outcome {outcome} --set large_wall_s=3600"
    ),
    Outcome.OUT_OF_MEMORY: Remedy(
        "review the native, or give it more memory", "retry", "--outcome {outcome} --set large_rss_mb=16384"
    ),
    Outcome.CRASHED: Remedy(
        "the parser died on it twice: review the native and report the file type; once that is mended",
        "retry",
        "--outcome {outcome}",
    ),
    Outcome.TOO_LARGE: _LIMIT,
    Outcome.CANCELLED: Remedy("import the source again if it is wanted"),
}

# Where the problem says more than the outcome about what to do.
CODE_REMEDIES: dict[str, Remedy] = {
    Code.SOURCE_UNREADABLE: Remedy("let this user read it, then import the source again"),
    Code.SOURCE_VANISHED: Remedy("put it back where it was, then import the source again"),
    Code.SOURCE_CHANGED: Remedy("copy the source to where nothing writes to it, then import the copy"),
    Code.SYMLINK_NOT_FOLLOWED: Remedy("import its target if that is wanted"),
    Code.SPECIAL_FILE: Remedy("it has no content; no action"),
    Code.NO_MAILBOX: Remedy("import it with --type files"),
    Code.NO_TRANSCRIPT: Remedy("import it with --type files"),
    Code.LIMIT_REACHED: _LIMIT,
    Code.OCR_PENDING: Remedy("where the reason names what is missing, install that; then", "render", "--kind ocr"),
    Code.NO_TEXT: Remedy("look at its pages; a better scan or another language (ocr_languages) may help"),
    Code.PARTLY_UNREAD: Remedy("look at its pages; ask the source for a better scan"),
    Code.ENGINE_MISSING: Remedy("install what the reason names; then", "retry", "--lacking"),
    Code.PDF_UNAVAILABLE: Remedy(
        "review the native; where the reason names what is missing, install that; then", "render", "--kind pdf"
    ),
    Code.LOADFILE_AS_TEXT: Remedy("look into it with `loadfile lint`, which says what records and files it names"),
}

# Limits that a setting raises, each with a value well above its default; the reason names the one that was reached.
RAISED: dict[str, int] = {
    "max_depth": 100,
    "max_copies": 1_000_000,
    "max_members": 100_000_000,
    "max_member_mb": 65_536,
    "max_total_mb": 1_048_576,
    "max_ratio": 100_000,
    "max_text_chars": 1_000_000_000,
    "spool_mb": 1_048_576,
}


def remedy(case: str, outcome: Outcome, code: str, reason: str) -> str:
    """What a person does about one problem of an item that ended so."""
    return _remedy(outcome, code, reason).told(case, outcome)


def _remedy(outcome: Outcome, code: str, reason: str) -> Remedy:
    if outcome is Outcome.CANCELLED:  # whatever was said of it before
        return REMEDIES[outcome]
    if code == Code.LIMIT_REACHED or outcome is Outcome.TOO_LARGE:
        for name in RAISED:
            if name in reason:
                return raising(name)
    return CODE_REMEDIES.get(code) or REMEDIES[outcome]


def raising(limit: str) -> Remedy:
    return Remedy("raise the limit", "retry", f"--outcome {{outcome}} --set {limit}={RAISED[limit]}")
