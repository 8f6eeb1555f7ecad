"""What the steps of a load have written and that follows from rows below: keys of copies, threads, neighbours.

Where a text would have to be read again (the key of a mail, whether it is inclusive, how near a text is to another)
it is looked at whether the value can be right at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from redwell.adapters.sql_audit.row_checks import WHO
from redwell.adapters.sql_reader.exhibit_rows import joined_metadata
from redwell.adapters.sql_reader.session import Session
from redwell.core.case.checkpoints import LOADED
from redwell.core.case.copies import NO_COPIES_OF, Scope, content_parts, in_scope
from redwell.core.case.findings import Check, Finding
from redwell.core.case.near import LEAST
from redwell.core.case.threads import thread_keys
from redwell.core.outcomes import Outcome

_AT_ONCE = 500
_MAIL = "mail"
# x: an exhibit whose load is complete, i: its row of the ledger, d: the work on its content
_LOADED = f"""FROM exhibit x JOIN ingestion i ON i.id = x.id JOIN batch b ON b.id = i.batch
    LEFT JOIN document c ON c.id = i.document
    LEFT JOIN derivation d ON d.id = i.derivation AND coalesce(i.outcome, '') <> '{Outcome.CANCELLED}'
    LEFT JOIN load_pending p ON p.exhibit = x.id WHERE x.checkpoint = {LOADED} AND p.exhibit IS NULL"""
_IMPOSSIBLE = f"""SELECT {WHO}, CASE
        WHEN x.family <> x.id AND (x.copy_key IS NOT NULL OR x.thread IS NOT NULL)
            THEN 'it is attached, and has a copy or thread of its own'
        WHEN (x.thread IS NULL) <> (x.inclusive IS NULL) OR x.inclusive NOT IN (0, 1)
            OR (x.thread IS NOT NULL AND t.thread IS NULL) THEN 'it is in a thread that is none'
        ELSE 'it is said to be near to what it can''t be near to' END
    FROM exhibit x JOIN ingestion i ON i.id = x.id LEFT JOIN exhibit t ON t.id = x.thread
        LEFT JOIN exhibit n ON n.id = x.near
    WHERE (x.family <> x.id AND (x.copy_key IS NOT NULL OR x.thread IS NOT NULL))
        OR (x.thread IS NULL) <> (x.inclusive IS NULL) OR x.inclusive NOT IN (0, 1)
        OR (x.thread IS NOT NULL AND t.thread IS NULL)
        OR (x.near IS NULL) <> (x.near_score IS NULL) OR x.near_score NOT BETWEEN {LEAST} AND 100
        OR (x.near IS NOT NULL AND (n.id IS NULL OR n.id = x.id OR n.near IS NOT NULL
            OR coalesce(length(n.sketch), 0) <> length(x.sketch) OR coalesce(length(x.sketch), 0) = 0))"""
_HEADS = f"""SELECT {WHO}, x.copy_key, c.sha256, d.kind, i.outcome, b.settings, b.custodian, x.overlaid, i.role
    {_LOADED} AND x.family = x.id ORDER BY x.id"""
_MAILS = f"""SELECT {WHO}, x.thread, i.metadata, d.metadata {_LOADED} AND x.family = x.id AND d.kind = '{_MAIL}'
    AND x.overlaid IS NULL ORDER BY x.id"""
_THREADS = "SELECT key, thread FROM thread_key WHERE key IN :keys"


class _Chosen(msgspec.Struct):
    dedupe: Scope = Scope.GLOBAL


_chosen = msgspec.json.Decoder(_Chosen).decode


def load_findings(session: Session) -> Iterator[Finding]:
    yield from (Finding(Check.FAMILY, who, told) for who, told in session.all(_IMPOSSIBLE))
    for who, *said in session.stream(_HEADS):
        if not _is_key_of(said):
            yield Finding(Check.FAMILY, who, "the key by which it finds its copies is of something else")
    yield from _in_other_threads(session)


def _is_key_of(said: Sequence[Any]) -> bool:
    copy_key, sha256, kind, outcome, settings, custodian, overlaid, role = said
    scope = _chosen(settings).dedupe
    if sha256 is None or outcome in NO_COPIES_OF or scope is Scope.NONE:
        return copy_key is None
    if kind == _MAIL or (scope is Scope.CUSTODIAN and (overlaid is not None or role == "record")):
        return isinstance(copy_key, bytes) and len(copy_key) == len(in_scope([], Scope.GLOBAL, None) or b"")
    return bool(copy_key == in_scope(content_parts(sha256), scope, custodian))


def _in_other_threads(session: Session) -> Iterator[Finding]:
    """A mail is in the thread that all its keys are of."""
    rows = iter(session.stream(_MAILS))
    while some := list(islice(rows, _AT_ONCE)):
        keys = {n: thread_keys(joined_metadata(row[2], row[3])) for n, row in enumerate(some)}
        asked = sorted({key for each in keys.values() for key in each})
        known: Mapping[bytes, int] = dict(session.all(_THREADS, keys=asked)) if asked else {}
        for n, (who, thread, *_) in enumerate(some):
            if thread is None or {known.get(key, thread) for key in keys[n]} - {thread}:
                yield Finding(Check.FAMILY, who, "it is in another thread than the mails that it answers")
