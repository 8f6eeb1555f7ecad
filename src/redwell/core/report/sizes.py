"""Numbers of bytes as people read them. Pure."""


def in_words(count: int) -> str:
    for unit, below in (("TB", 1 << 40), ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if count >= below:
            return f"{count / below:,.1f} {unit}"
    return f"{count} bytes"
