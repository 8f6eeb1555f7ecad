"""A large object as a file that is read where it is. Used by whoever reads a blob without needing it on disk."""

import io

from redwell.adapters.s3.objects import Objects


class RemoteFile(io.RawIOBase):
    """Each read is a range of the object; put a buffer before it."""

    def __init__(self, objects: Objects, key: str, size: int) -> None:
        self._objects, self._key, self._size = objects, key, size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        length = max(0, min(len(buffer), self._size - self._position))
        data = self._objects.range(self._key, self._position, length)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
