"""Folders held open by descriptor, for the blob store in every process that opens a case.

Each step down is taken relative to the folder above and refuses symbolic links, so a planted link
cannot make the store read or write outside the case.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from redwell.core.errors import DiskFull, Permanent, RedwellError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a planted pipe must be refused, not waited for.
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CREATE_FLAGS = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Folder:
    """Reaches its own entries and nothing behind a symbolic link."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self.fd = fd

    @classmethod
    def root(cls, path: Path, *, make: bool) -> "Folder":
        """The case's folder itself; the way to it is the user's affair and may hold links."""
        with disk_errors(path):
            if make:
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def make(self, name: str) -> bool:
        """Make a folder in this one; False when it is already there."""
        with disk_errors(self.path / name):
            try:
                os.mkdir(name, 0o700, dir_fd=self.fd)
            except FileExistsError:
                return False
        return True

    def sub(self, name: str) -> "Folder":
        with disk_errors(self.path / name):
            return Folder(self.path / name, os.open(name, _FOLDER_FLAGS, dir_fd=self.fd))

    def create(self, name: str) -> int:
        """A descriptor for appending to a file that did not exist; FileExistsError when it did."""
        return os.open(name, _CREATE_FLAGS | os.O_WRONLY | os.O_APPEND | os.O_EXCL, 0o600, dir_fd=self.fd)

    def open_lock(self, name: str) -> int:
        with disk_errors(self.path / name):
            return os.open(name, _CREATE_FLAGS | os.O_RDWR, 0o600, dir_fd=self.fd)

    def open_file(self, name: str) -> int:
        """A descriptor for reading a regular file; anything else is refused."""
        with disk_errors(self.path / name):
            fd = os.open(name, _READ_FLAGS, dir_fd=self.fd)
        if stat.S_ISREG(os.fstat(fd).st_mode):
            return fd
        os.close(fd)
        raise Permanent(f"{self.path / name} is not a regular file; it was not put there by Redwell")

    def size(self, name: str) -> int | None:
        """The size of a file here, links not followed; None when there is none."""
        with suppress(FileNotFoundError):
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False).st_size
        return None

    def names(self) -> list[str]:
        with os.scandir(self.fd) as entries:
            return [entry.name for entry in entries]

    def sync(self) -> None:
        """The names in this folder survive a power cut when this returns."""
        with disk_errors(self.path):
            os.fsync(self.fd)

    def close(self) -> None:
        fd, self.fd = self.fd, -1  # a use after this must fail, not reach whatever gets the number next
        os.close(fd)

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write every byte, or raise what stopped it."""
    with memoryview(data) as view:
        done = 0
        while done < view.nbytes:
            done += os.write(fd, view[done:])


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """What the operating system refuses becomes an error that names the file and the next step."""
    try:
        yield
    except OSError as error:
        raise explained(error, path) from error


def explained(error: OSError, path: Path) -> RedwellError:
    if error.errno in _FULL:
        mount = _mount_of(path)
        space = os.statvfs(mount)
        free = space.f_bavail * space.f_frsize
        return DiskFull(
            f"cannot write {path}: {error.strerror}; {free:,} bytes are free on {mount}. Make room, resume."
        )
    if error.errno == errno.ENOENT:
        return Permanent(f"{path} is missing from the case; run 'redwell verify' to see what it held")
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return Permanent(f"{path} is a symbolic link or of the wrong kind; it was not put there by Redwell")
    return Permanent(f"{path}: {error.strerror}")


def _mount_of(path: Path) -> Path:
    return next(folder for folder in path.absolute().parents if folder.is_mount())
