"""A watcher for a source, by its kind. Part of bootstrap's joining."""

import os
from pathlib import Path

from redwell.core.errors import UserError
from redwell.intake.watch_folder import FolderWatcher
from redwell.ports.sources import Source, Watcher


def open_watcher(source: Source) -> Watcher:
    """Nothing is asked before it looks."""
    if source.kind == "folder":
        return FolderWatcher(Path(source.name))
    if source.kind != "imap":
        raise UserError(f"there is no watcher for a source of the kind {source.kind!r}")
    from redwell.adapters.imap.watcher import ImapWatcher

    variable = str(source.settings.get("password_variable", ""))
    password = os.environ.get(variable, "")
    if not password:
        raise UserError(f"the mailbox's password is to be in the environment variable {variable}, which is empty")
    return ImapWatcher(dict(source.settings), password)
