"""The bytes that an exhibit is, by their hash and size: of a record of a load file those of the native that came. Pure.

A record's own content is its row; whoever hands out, compares or lists natives asks here (runtime.loadfiles.given has
the same out of the artifacts).
"""

from redwell.core.case.rows import Exhibit

RECORD_ROLES = frozenset({"record", "attached-record"})  # core.handler.Role


def native_sha256(exhibit: Exhibit) -> bytes | None:
    """None: there is no native."""
    if exhibit.role not in RECORD_ROLES:
        return exhibit.sha256
    told = exhibit.metadata.get("native_sha256")
    return bytes.fromhex(told) if isinstance(told, str) else None


def native_size(exhibit: Exhibit) -> int | None:
    if exhibit.role not in RECORD_ROLES:
        return exhibit.size
    told = exhibit.metadata.get("native_size")
    return told if isinstance(told, int) else None


def native_md5(exhibit: Exhibit) -> str:
    """Of a record what its row says of it; empty where nobody knows."""
    if exhibit.role not in RECORD_ROLES:
        return exhibit.md5.hex() if exhibit.md5 else ""
    told = exhibit.metadata.get("stated_md5")
    return told if isinstance(told, str) and native_sha256(exhibit) else ""


def native_name(exhibit: Exhibit) -> str:
    """Its name with an extension: that of a record may be its id."""
    if exhibit.role not in RECORD_ROLES or "." in exhibit.name[-6:]:
        return exhibit.name
    _, dot, ending = str(exhibit.metadata.get("native_path") or "").rpartition("/")[2].rpartition(".")
    return f"{exhibit.name}.{ending}" if dot else exhibit.name
