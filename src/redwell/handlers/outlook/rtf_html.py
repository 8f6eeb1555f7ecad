"""The body that Outlook wraps into RTF (MS-OXRTFEX): its HTML or plain text as it was. Runs in a child.

Called by the readers of MSG, TNEF and PST, behind `rtf_compressed.unpacked`.
"""

import re
from dataclasses import dataclass
from typing import Literal

from redwell.core.errors import InvalidFile
from redwell.handlers.structures import rtf

_MARK = re.compile(rb"\\from(html|text)")
_HEADER = 1024  # the mark stands among the first words; a later one is somebody's text


@dataclass(frozen=True, slots=True)
class Body:
    """What an RTF body was made of: `rtf` where somebody wrote RTF, and the content is its text."""

    kind: Literal["html", "text", "rtf"]
    content: str


class _Unwrapper(rtf.Reader):
    """Reads the tags and the words between them, and leaves out what was added to show them as RTF."""

    def _destination(self, word: str) -> bool:
        if word != "htmltag" or self.group.destination == "skipped":
            return super()._destination(word)
        self._enter("body")
        self.group.fresh = False
        return True

    def _word(self, word: str, number: int | None) -> int:
        if word != "htmlrtf":
            return super()._word(word, number)
        self._flush()
        self.group.suppressed = number != 0
        self.group.fresh = False
        return 0

    def _counts(self) -> bool:
        return not self.group.suppressed and super()._counts()


def unwrapped(data: bytes) -> Body:
    """The body inside unpacked RTF; raises `InvalidFile` where the bytes are no RTF."""
    mark = _MARK.search(data, 0, _HEADER)
    if mark is None:
        return Body("rtf", rtf.read(data).text)
    start = data.find(b"{\\rt", 0, 64)
    if start < 0:
        raise InvalidFile("no RTF header")
    content = rtf.paired(_Unwrapper().read(data[start:]).text)
    return Body("html" if mark[1] == b"html" else "text", content)
