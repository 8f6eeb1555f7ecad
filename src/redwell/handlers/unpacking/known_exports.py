"""Exports that are plain archives, known by what lies in them. Used by the archive handlers in a child."""

from collections.abc import Collection

_BY_FILES: tuple[tuple[str, frozenset[str]], ...] = (
    ("RSMF", frozenset({"rsmf_manifest.json"})),
    ("Slack export", frozenset({"users.json", "channels.json"})),
    ("Teams or Skype export", frozenset({"messages.json", "endpoints.json"})),
    ("WhatsApp chat", frozenset({"_chat.txt"})),
    ("Purview export", frozenset({"results.csv", "manifest.xml"})),
    ("Apple device backup", frozenset({"manifest.db", "info.plist", "manifest.plist"})),
)
_VAULT_ENDS = ("-metadata.xml", "-results-count.csv")
_PURVIEW_START = "export_load_file"
_PHONE_REPORT, _PHONE_FILES = "report.xml", ("files/", "dbdata/")


def recognised(paths: Collection[str]) -> str:
    """The kind of export that these member paths stand for; empty where they are just files."""
    paths = {path.lower() for path in paths}
    names = {path.rpartition("/")[2] for path in paths}
    for kind, files in _BY_FILES:
        if files <= names:
            return kind
    if _PHONE_REPORT in paths and any(path.startswith(_PHONE_FILES) for path in paths):
        return "Cellebrite report (UFDR)"
    if all(any(name.endswith(end) for name in names) for end in _VAULT_ENDS):
        return "Google Vault export"
    if any(name.startswith(_PURVIEW_START) for name in names):
        return "Purview export"
    return "Google Takeout" if any(path.startswith("takeout/") for path in paths) else ""
