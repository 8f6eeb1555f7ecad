"""What lies in a RAR archive, through all its volumes. Called by the rar handler in a child."""

from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Options, tell_opened

_FROM_BEFORE, _GOES_ON = 1, 2  # flags of a member
_NEXT_VOLUME = 1  # flag of the archive's end
_COMMENT, _OF_A_MEMBER = "CMT", 0x10
_KEPT = ("file_encryption", "salt")  # of a member's first part: the cipher runs through all of them


class Listed(NamedTuple):
    infos: list[Any]  # every file, old versions of files too, with the `pieces` that it lies in
    comment: Any  # as a member; None where the archive has no comment
    complaints: list[str]  # what is wrong with the archive


def listed(volumes: Iterable[BinaryIO], options: Options) -> Listed:
    listings = [_opened(volume, options.passwords) for volume in volumes]
    infos = _merged([info for listing in listings for info in listing.infos])
    complaints = [listing.complaint for listing in listings if listing.complaint]
    if complaints and not infos:
        raise InvalidFile("no member of the archive can be found")
    if options.volumes and listings[-1].goes_on:
        complaints.append(f"volumes behind {options.volumes[-1].suffix} are missing")
    return Listed(infos, next((each.comment for each in listings if each.comment), None), complaints)


def _opened(file: BinaryIO, passwords: Sequence[str]) -> "_Listing":
    listing = _Listing(file, None)
    if not listing.names_are_hidden:
        return listing
    for password in passwords:
        listing = _Listing(file, password)
        if listing.infos:
            tell_opened(passwords)
            return listing
    raise PasswordProtected("none of the passwords fits" if passwords else "a password is needed")


class _Listing:
    """The headers of one volume."""

    def __init__(self, file: BinaryIO, password: str | None) -> None:
        import rarfile

        rarfile.RAR_MAX_COMMENT = -1  # it would start a program to unpack them
        self.infos: list[Any] = []
        self.comment: Any = None
        self.complaint, self.names_are_hidden, self.goes_on = "", False, False
        file.seek(0)
        try:
            archive = rarfile.RarFile(file, info_callback=self._note, part_only=True)
            if password is not None:
                self.infos.clear()
                archive.setpassword(password)
            self.names_are_hidden = archive.needs_password() and not self.infos
            self.complaint = archive.strerror() or ""
        except (rarfile.Error, OSError, ValueError, OverflowError) as error:
            self.complaint = f"the archive cannot be read to its end: {type(error).__name__}"
        for info in (*self.infos, self.comment) if self.comment else self.infos:
            info.pieces = [(file, info.data_offset, info.compress_size)]

    def _note(self, info: Any) -> None:
        import rarfile

        if info.type == rarfile.RAR_BLOCK_FILE:
            self.infos.append(info)
        elif info.type == rarfile.RAR_BLOCK_SUB and info.filename == _COMMENT and not info.flags & _OF_A_MEMBER:
            self.comment = info
        elif info.type == rarfile.RAR_BLOCK_ENDARC:
            self.goes_on = bool(getattr(info, "endarc_flags", info.flags) & _NEXT_VOLUME)


def _merged(infos: Sequence[Any]) -> list[Any]:
    """Parts of a member in consecutive volumes become one: the last says how long it is and what its checksum is."""
    whole: list[Any] = []
    for info in infos:
        before = whole[-1] if whole else None
        if before and info.flags & _FROM_BEFORE and before.flags & _GOES_ON and before.filename == info.filename:
            info.pieces = [*before.pieces, *info.pieces]
            info.compress_size += before.compress_size
            info.flags = info.flags & ~_FROM_BEFORE | before.flags & _FROM_BEFORE
            for name in _KEPT:
                if hasattr(before, name):
                    setattr(info, name, getattr(before, name))
            whole.pop()
        whole.append(info)
    return whole
