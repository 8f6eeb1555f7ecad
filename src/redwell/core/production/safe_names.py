"""Names of files that go out: safe on every system, none twice, and recognisable. Pure."""

import re

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\/]|[\ud800-\udfff\u202a-\u202e\u2066-\u2069\u200e\u200f]')
_DEVICES = re.compile(r"^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
_LONGEST_PART = 100  # bytes
_LONGEST_ENDING = 16
_MOST_FOLDERS = 12
MEMBERS = "_members"  # a folder for what was inside of a file


def safe_part(name: str) -> str:
    """One step of a path that every file system takes, with its ending."""
    part = _UNSAFE.sub("_", name).strip().rstrip(".").strip() or "_"
    if part in ("..", ".") or part.startswith("."):
        part = f"_{part}"
    if _DEVICES.match(part):
        part = f"_{part}"
    stem, dot, ending = part.rpartition(".")
    if not stem or len(ending.encode()) > _LONGEST_ENDING:
        stem, dot, ending = part, "", ""
    room = _LONGEST_PART - len((dot + ending).encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") + dot + ending


def safe_path(path: str) -> str:
    """A path as exhibits have it, folders by slashes and members behind `//`, as one below a folder."""
    files = path.split("//")
    steps = [[safe_part(step) for step in file.split("/") if step] or ["_"] for file in files]
    for inside in steps[:-1]:
        inside[-1] += MEMBERS
    flat = [step for file in steps for step in file]
    return "/".join(flat[-_MOST_FOLDERS:])


class UniqueNames:
    """Paths of one folder, none twice, also where upper and lower case are the same."""

    def __init__(self) -> None:
        self._taken = set[str]()

    def take(self, path: str, mark: str) -> str:
        """The path, or the same with `mark` in its name where another has it."""
        folder, slash, name = path.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        marked = f"{stem} ({mark}){dot}{ending}" if stem else f"{name} ({mark})"
        for candidate in (path, folder + slash + marked):
            if candidate.casefold() not in self._taken:
                self._taken.add(candidate.casefold())
                return candidate
        return self.take(f"{folder}{slash}{marked}", f"{mark}-2")
