"""What the rows say of texts: which mails of a thread are inclusive, and what is near to what. For verify --deep."""

from collections.abc import Iterator

from redwell.adapters.sql_reader.session import Session
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.checkpoints import LOADED
from redwell.core.case.near import Neighbour, Texted
from redwell.core.case.threads import Judged, ThreadMail

_TEXT = f"t.derivation = i.derivation AND t.kind = '{ArtifactKind.TEXT}' AND t.number = 0"
_MAILS = f"""SELECT x.id, x.thread, t.sha256,
        (SELECT m.locator FROM ingestion m WHERE m.parent = i.id ORDER BY m.parent, m.locator LIMIT 1) IS NOT NULL,
        x.inclusive, x.checkpoint = {LOADED} AND p.exhibit IS NULL
    FROM exhibit x JOIN ingestion i ON i.id = x.id LEFT JOIN artifact t ON {_TEXT}
        LEFT JOIN load_pending p ON p.exhibit = x.id
    WHERE x.thread IS NOT NULL ORDER BY x.thread, x.number, x.control"""
# each master before those that are near to it
_NEAR = f"""SELECT x.id, x.number, x.control, t.sha256, x.sketch, x.near, x.near_score
    FROM exhibit x JOIN ingestion i ON i.id = x.id JOIN artifact t ON {_TEXT}
    WHERE length(x.sketch) > 0 ORDER BY coalesce(x.near, x.id), x.near IS NOT NULL, x.id"""


def judged_mails(session: Session) -> Iterator[Judged]:
    """In the order in which a load judges them."""
    for key, thread, text, has_members, inclusive, is_loaded in session.stream(_MAILS):
        yield Judged(ThreadMail(key, thread, text, bool(has_members)), bool(inclusive), bool(is_loaded))


def neighbours(session: Session) -> Iterator[tuple[Texted, Neighbour]]:
    for key, number, control, text, sketch, near, score in session.stream(_NEAR):
        yield Texted(key, number, control, text), Neighbour(key, bytes(sketch), near, score)
