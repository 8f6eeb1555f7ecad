"""What SQLite lacks of PostgreSQL's functions, for every connection."""

import sqlite3


def add_functions(driver: sqlite3.Connection) -> None:
    driver.create_function("encode", 2, _encode, deterministic=True)


def _encode(value: bytes | str, _form: str) -> str:
    """encode(value, 'hex'), for the findings of verify; a row changed by hand may hold text."""
    return (value.encode() if isinstance(value, str) else value).hex()
