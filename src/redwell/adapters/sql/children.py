"""The row of an exhibit that was found in a container. Called by settling, when it replays a manifest."""

from collections.abc import Mapping
from typing import Any

from redwell.adapters.sql.contents import Derivations, context_of
from redwell.adapters.sql.statements import as_json
from redwell.core.ids import uuid7_bytes
from redwell.core.ledger import Stage
from redwell.core.outcomes import Code
from redwell.core.volumes import place_of


def child_row(parent: Mapping[str, Any], m: Mapping[str, Any], works: Derivations) -> dict[str, Any]:
    waits = m["document"] is not None
    gathered = waits and place_of(m["name"]) is not None
    return {
        "uid": uuid7_bytes(),
        "batch": parent["batch"],
        "parent": parent["id"],
        "locator": m["locator"],
        "whole": m["whole"],
        "source": 0,
        "name": m["name"],
        "path": f"{parent['path']}//{m['name']}",
        "root": parent["root"] or parent["id"],
        "number": parent["number"],
        "ordinal": m["ordinal"],
        "control": f"{parent['control']}.{m['ordinal'] + 1:04d}",
        "depth": parent["depth"] + 1,
        "role": m["role"],
        "state": (Stage.GATHERED if gathered else Stage.WAITING if waits else Stage.DONE).value,
        "document": m["document"],
        "derivation": works.ids[m["document"], context_of(m["name"])] if waits and not gathered else None,
        "listed": None,
        "outcome": None if waits else m["outcome"],
        "detail": "" if waits else m["detail"],
        "problems": "[]" if waits else as_json([{"code": Code.MEMBER_FAILED, "detail": m["detail"]}]),
        "size": m["size"],
        "dates": "{}",
        "metadata": m["metadata"],
        "seal": None,
    }
