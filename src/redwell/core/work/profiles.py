"""The kinds of children there are, and what each may do: a right is given to a profile, never to parsers. Pure.

Whatever its profile, a child reads what it was given and the programs' own files, writes to folders of its own, reaches
no address of any network and no socket of anybody else, and is watched and killed with all that it started.
"""

from collections.abc import Mapping

import msgspec

from redwell.core.work.kinds import Profile

# What a child with folders of its own has in place of everybody's, by the name of its own one.
OWN_FOLDERS = {"tmp": "/tmp", "shm": "/dev/shm"}  # noqa: S108  they are hidden, not used


class Rights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each is off where nothing is said. The last three are limits."""

    processes: bool = False  # may start programs
    sockets: bool = False  # may have Unix sockets among its own processes; it can't connect to one by name
    folders: bool = False  # has a /tmp and a /dev/shm that nobody else sees
    warm: bool = False  # its programs live on from one document to the next
    together: bool = False  # is given the documents of a message in one call
    any_address_space: bool = False  # reserves memory as it likes: what it uses is watched, as for all
    readable: tuple[str, ...] = ()  # system files beside those that every child may read
    max_processes: int = 64
    least_rss_mb: int = 0  # of memory that all its processes may use, whatever is set


RIGHTS: Mapping[Profile, Rights] = {
    Profile.PARSER: Rights(),
    Profile.OFFICE: Rights(
        processes=True,
        sockets=True,
        folders=True,
        together=True,
        any_address_space=True,
        readable=("/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice", "/var/cache/fontconfig"),
        least_rss_mb=2_048,
    ),
    Profile.BROWSER: Rights(
        processes=True,
        sockets=True,
        folders=True,
        warm=True,
        any_address_space=True,
        readable=("/var/cache/fontconfig",),
        least_rss_mb=3_072,  # its processes share much, and each is counted whole
    ),
    Profile.OCR: Rights(any_address_space=True, least_rss_mb=2_048),
    # llama.cpp wants to listen: on a Unix socket in a /tmp of its own, to which nobody can connect
    Profile.MODEL: Rights(sockets=True, folders=True, any_address_space=True, least_rss_mb=4_096),
}
