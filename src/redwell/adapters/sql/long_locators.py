"""Locators that are too long for an index entry, which PostgreSQL limits to a third of a page.

A path may have 4096 bytes and more. Then a row's key is the path's beginning and its hash, with the path beside it.
"""

import hashlib

from sqlalchemy import ColumnElement, Table, func

_KEY_BYTES = 1_000


def whole_locator(table: Table) -> ColumnElement[str]:
    return func.coalesce(table.c.whole, table.c.locator).label("locator")


def key_of(locator: str) -> str:
    """Different for different locators: a short one is its own key, and that of a long one is never short."""
    if len(locator) <= _KEY_BYTES // 4:  # no character has more bytes
        return locator
    data = locator.encode()
    if len(data) <= _KEY_BYTES:
        return locator
    return data[:_KEY_BYTES].decode(errors="ignore") + hashlib.sha256(data).hexdigest()


def stored_locator(locator: str) -> dict[str, str | None]:
    key = key_of(locator)
    return {"locator": key, "whole": locator if key != locator else None}
