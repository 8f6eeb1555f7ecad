"""A watcher for a source, by its kind. Part of bootstrap's joining."""

import os
from contextlib import closing
from pathlib import Path

from redwell.core.errors import NotFound, Permanent, UserError
from redwell.core.patience import Patience
from redwell.intake.watch_folder import FolderWatcher
from redwell.ports.remote_source import RemoteSource
from redwell.ports.sources import Source, Watcher
from redwell.runtime.bootstrap.vendors import aws_adapter, google_adapter


def open_remote_source(url: str, patience: Patience) -> RemoteSource:
    """Evidence in a bucket; UserError where the name is no good."""
    source: RemoteSource = aws_adapter("s3_source").S3Source(url, patience)
    return source


def require_remote_source(url: str, patience: Patience) -> None:
    """Something lies there, and it can be listed."""
    with closing(open_remote_source(url, patience)) as source:
        try:
            found = next(source.listed(), None)
        except (Permanent, OSError) as error:
            raise NotFound(f"{url}: {error}; nothing was imported") from None
    if found is None:
        raise NotFound(f"{url}: there is no object of that name or below it; nothing was imported")


def open_watcher(source: Source, patience: Patience) -> Watcher:
    """Nothing is asked before it looks."""
    if source.kind == "folder":
        return FolderWatcher(Path(source.name))
    if source.kind == "ses":
        mails: Watcher = aws_adapter("ses_mails").SesMails(source.name, patience)
        return mails
    if source.kind == "gmail":
        key_file = _told(source, "credentials_variable", "the path of the file with the mailbox's credentials")
        watcher: Watcher = google_adapter("gmail").GmailWatcher(source.settings, key_file, patience)
        return watcher
    if source.kind != "imap":
        raise UserError(f"there is no watcher for a source of the kind {source.kind!r}")
    from redwell.adapters.imap.watcher import ImapWatcher

    return ImapWatcher(dict(source.settings), _told(source, "password_variable", "the mailbox's password"))


def _told(source: Source, setting: str, what: str) -> str:
    variable = str(source.settings.get(setting, ""))
    if found := os.environ.get(variable, ""):
        return found
    raise UserError(f"{what} is to be in the environment variable {variable}, which is empty")
