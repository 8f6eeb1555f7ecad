"""Which model the case asks about its documents."""

import msgspec

from redwell.adapters.sql_reader.session import Session
from redwell.core.understanding.models import ModelChoice


def chosen_model(session: Session) -> ModelChoice:
    """The one that the case uses now; rules alone where nobody has chosen."""
    rows = session.all("SELECT body FROM model_choice ORDER BY id DESC LIMIT 1")
    return msgspec.json.decode(rows[0][0], type=ModelChoice) if rows else ModelChoice()
