"""Counts the items of a store once more, by libpff: another reader, that goes by the folders' own tables.

Called by the pst handler in a child, when all items are out: what kills libpff then costs no item.
"""

from typing import Any, BinaryIO

_DEEPEST = 200


class Uncounted(Exception):
    """The second reader can't make anything of the store, or of a part."""


def count_again(file: BinaryIO) -> dict[int, int]:
    """Items by folder."""
    import pypff

    store = pypff.file()
    try:
        store.open_file_object(file)
        counts: dict[int, int] = {}
        _add(store.get_root_folder(), counts, 0)
        store.close()
    except (OSError, RuntimeError, ValueError, MemoryError, AttributeError) as error:
        raise Uncounted(str(error).split(":")[-1].strip()) from None
    return counts


def _add(folder: Any, counts: dict[int, int], depth: int) -> None:
    if folder is None or folder.identifier in counts or depth > _DEEPEST:
        return
    counts[folder.identifier] = folder.number_of_sub_messages
    for index in range(folder.number_of_sub_folders):
        _add(folder.get_sub_folder(index), counts, depth + 1)
