"""Version 6: a row of the journal stands for all events of a type that a transaction wrote, and names its job.

What older releases wrote keeps its place, its id and what it said; how far each listener has heard stays true.
"""

import json
from typing import Any

from sqlalchemy import Connection, text

_AT_ONCE = 2_000
_SOME = text("SELECT id, body FROM event WHERE id > :after ORDER BY id LIMIT :limit")
_CHANGE = text("UPDATE event SET body = :body WHERE id = :id")


def upgrade(tx: Connection) -> None:
    after = 0
    while rows := tx.execute(_SOME, {"after": after, "limit": _AT_ONCE}).all():
        tx.execute(_CHANGE, [{"id": key, "body": _packed(json.loads(body))} for key, body in rows])
        after = rows[-1].id


def _packed(old: dict[str, Any]) -> str:
    """An event about exhibits names them; one about a content that named none says in its detail which it was."""
    new = {"id": old["id"], "timestamp": old["timestamp_ms"], "source": old["source"], "job": old["job"]}
    new["status"], detail = old["status"], dict(old["detail"])
    if old["exhibits"]:
        ended = [old["exhibits"], detail.pop("outcome", ""), detail.pop("reason", "")]
        new |= {"about": "exhibits", "groups": [ended]}
    elif old["document"]:
        detail["document"] = old["document"]
    return json.dumps({**new, "detail": detail}, separators=(",", ":"))
