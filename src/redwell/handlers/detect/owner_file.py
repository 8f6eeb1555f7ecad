"""The small files that Office lays beside an open document (~$lease.docx): who has it open. Called in the child."""

_SECOND_NAME = {162: 54, 165: 55}  # where the name in UTF-16 stands, by the size of the file: Word, the others
_LONGEST = 54


def owner(data: bytes, size: int) -> str:
    """The user's name, which such a file tells twice; empty where these bytes are no such file."""
    at = _SECOND_NAME.get(size)
    if at is None or not 1 <= data[0] <= _LONGEST:
        return ""
    length = int.from_bytes(data[at : at + 2], "little")
    if not 1 <= length <= _LONGEST:
        return ""
    if b"\0" in data[1 : 1 + data[0]]:  # that name is in single bytes; such a file in UTF-16 is a note
        return ""
    name = data[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")
    # the first name is in the code page of the machine, so that letters beside ASCII tell nothing
    told = name.isprintable() and (not name.isascii() or data[1 : 1 + data[0]] == name.encode("ascii"))
    return name if told else ""
