"""Threads of mails, by what their headers say: References, In-Reply-To, and Outlook's Conversation-Index. Pure.

A thread is what hangs together by these, however far apart its mails came in, and in whatever order; whoever answers
himself in a circle is in one thread like others. Subjects tie nothing: too much is called `Re: question`.
"""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from redwell.core.case.letters import letters_of
from redwell.core.case.mail_recipe import key_of

MOST_JUDGED = 200  # mails of a thread whose texts are held against each other
MOST_REFERENCES = 50  # the first and the last of a list that somebody made longer
_BEGINNING = 40  # letters
_INDEX_HEADER = 22  # bytes: a mark, a time, and the identity of the conversation
_IDENTITY = slice(6, _INDEX_HEADER)


class ThreadMail(NamedTuple):
    """A mail of a thread, with where its text lies."""

    id: int
    thread: int
    text: bytes | None
    has_members: bool
    ocr: bytes | None = None


class Judged(NamedTuple):
    """What the rows say of a mail in a thread."""

    mail: ThreadMail
    is_inclusive: bool
    is_loaded: bool


def thread_keys(metadata: Mapping[str, Any]) -> list[bytes]:
    """What two mails of a thread have in common, each as a key of 32 bytes; none where the headers are silent."""
    told = metadata.get("references") or []
    references = [told] if isinstance(told, str) else [str(each) for each in told]
    if len(references) > MOST_REFERENCES:
        references = [references[0], *references[1 - MOST_REFERENCES :]]
    ids = [str(metadata.get(name) or "") for name in ("message_id", "in_reply_to")] + references
    keys = [key_of([b"id", bare.encode("utf-8", "surrogatepass")]) for each in ids if (bare := _bare(each))]
    conversation = conversation_of(str(metadata.get("thread_index") or ""))
    return list(dict.fromkeys(keys + ([key_of([b"conversation", conversation])] if conversation else [])))


def _bare(message_id: str) -> str:
    found = re.search(r"<([^<>]+)>", message_id)
    return (found[1] if found else message_id).strip()


def conversation_of(thread_index: str) -> bytes:
    """The identity in a Conversation-Index; empty where it is none."""
    try:
        index = base64.b64decode("".join(thread_index.split()), validate=True)
    except (binascii.Error, ValueError):
        return b""
    return index[_IDENTITY] if len(index) >= _INDEX_HEADER and index[0] == 1 else b""


class Joined(NamedTuple):
    thread_of: dict[int, int]  # of each mail
    keys: dict[bytes, int]  # and of each key that is new or has another thread now
    merged: dict[int, int]  # a thread that is part of another one now


def join(mails: Mapping[int, Sequence[bytes]], known: Mapping[bytes, int]) -> Joined:
    """Which thread each mail belongs to. One that ties two together adds the higher number to the lower."""
    merged: dict[int, int] = {}
    keys: dict[bytes, int] = {}

    def now(thread: int) -> int:
        while thread in merged:
            thread = merged[thread]
        return thread

    thread_of = {}
    for mail in sorted(mails):
        found = {now(keys.get(key, known.get(key, mail))) for key in mails[mail]}
        thread = min(found - {mail} or {mail})
        merged |= dict.fromkeys(found - {thread, mail}, thread)
        keys |= dict.fromkeys(mails[mail], thread)
        thread_of[mail] = thread
    return Joined(
        {mail: now(thread) for mail, thread in thread_of.items()},
        {key: now(thread) for key, thread in keys.items()},
        {other: now(other) for other in merged},
    )


def inclusive(texts: Mapping[int, str], with_attachments: frozenset[int] = frozenset()) -> set[int]:
    """The mails of a thread that have to be read: no other one holds all their letters and digits, or they bring files.

    Judged by what the texts say, never by who came last.
    """
    letters = {key: letters_of(text).lower() for key, text in texts.items()}
    by_length = sorted(letters, key=lambda key: -len(letters[key]))  # of equal ones the first
    kept: list[int] = []
    for key in by_length:
        held = letters[key] and any(_holds(letters[other], letters[key]) for other in kept)
        if not held:
            kept.append(key)
    return {*kept, *(with_attachments & letters.keys())}


def _holds(whole: str, part: str) -> bool:
    """Most do not hold even its beginning, which is looked for in a fraction of the time."""
    return part[:_BEGINNING] in whole and part in whole
