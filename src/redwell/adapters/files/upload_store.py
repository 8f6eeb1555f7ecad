"""Uploads as folders of the home: each file is `ID.part` beside `ID.json` until all are whole, then lies under its own
path below `files/`. How far a file is, its size says; so a kill at any moment costs what was not written yet."""

import json
import os
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.adapters.files.arrival import FileArrival, Hashes
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.ids import uuid7
from redwell.core.uploads.arrivals import KEY, MOST_FILES, Arriving, InUse, NewFile, TooLong, WrongOffset, free_path
from redwell.ports.uploads import Upload

FILES = "files"


class FileUploads:
    """`most_bytes` of one file; `reserve_bytes` of the disk stay free."""

    def __init__(self, folder: Path, most_bytes: int, reserve_bytes: int) -> None:
        self._folder, self._most, self._reserve = folder, most_bytes, reserve_bytes
        self._lock = threading.Lock()
        self._open = set[str]()
        self._paths: dict[str, set[str]] = {}  # taken ones, by upload
        self._hashes = Hashes()

    def begin(self, case: int, who: str) -> Upload:
        made = Upload(id=uuid7().hex, case=case, who=who, at_ms=time.time_ns() // 1_000_000, batch=None)
        folder = self._folder / str(case) / made.id
        folder.mkdir(mode=0o700, parents=True)
        _write(folder / "upload.json", {"who": who, "at_ms": made.at_ms, "batch": None})
        return made

    def all(self) -> list[Upload]:
        found = [path for path in self._folder.glob("*/*/upload.json") if path.parent.parent.name.isdigit()]
        return sorted((_upload(path.parent) for path in found), key=lambda each: each.at_ms)

    def one(self, case: int, upload: str) -> Upload:
        return _upload(self._of(case, upload))

    def files(self, case: int, upload: str) -> Sequence[Arriving]:
        folder = self._of(case, upload)
        ids = sorted(path.stem for path in folder.glob("*.json") if KEY.fullmatch(path.stem))
        return [_arriving(folder, key) for key in ids]

    def add(self, case: int, upload: str, new: NewFile) -> Arriving:
        folder = self._of(case, upload)
        if _upload(folder).batch is not None:
            raise Conflict("this upload is an import already: begin another")
        self._check_room(folder, new.length)
        key = new.key or uuid7().hex
        with self._lock:
            if (folder / f"{key}.json").exists():  # the answer did not reach who asked
                return _arriving(folder, key)
            self._note(folder, key, new, self._taken(folder, case, upload))
        if not new.length:
            self.arrive(case, upload, key, 0, None).finish()
        return _arriving(folder, key)

    def _note(self, folder: Path, key: str, new: NewFile, taken: set[str]) -> None:
        path = free_path(new.path, taken)
        if len(taken) >= MOST_FILES:
            raise UserError(f"an upload has at most {MOST_FILES:,} files: begin another")
        taken.add(path)
        note = {"path": path, "length": new.length, "modified_ms": new.modified_ms, "sha256": ""}
        (folder / f"{key}.part").touch(mode=0o600)
        _write(folder / f"{key}.json", {**note, "wanted": new.sha256.hex() if new.sha256 else ""})

    def file(self, case: int, upload: str, file: str) -> Arriving:
        return _arriving(self._with(case, upload, file), file)

    def arrive(self, case: int, upload: str, file: str, offset: int, checksum: tuple[str, bytes] | None) -> FileArrival:
        folder = self._with(case, upload, file)
        with self._lock:
            if file in self._open:
                raise InUse("another request is writing to this file: wait, then ask where to go on")
            self._open.add(file)
        try:
            there = _arriving(folder, file)
            if there.is_whole or there.offset != offset:
                raise WrongOffset(f"the file goes on at {there.offset}, not at {offset}")
            note = json.loads((folder / f"{file}.json").read_bytes())
            return FileArrival(folder / file, note, checksum, self._hashes, lambda: self._free(file))
        except BaseException:
            self._free(file)
            raise

    def drop_file(self, case: int, upload: str, file: str) -> None:
        folder = self._with(case, upload, file)
        with self._lock:
            if file in self._open:
                raise InUse("another request is writing to this file")
            self._paths.pop(upload, None)
        for ending in ("json", "part"):
            (folder / f"{file}.{ending}").unlink(missing_ok=True)

    def drop(self, case: int, upload: str) -> None:
        shutil.rmtree(self._of(case, upload), ignore_errors=True)
        self._paths.pop(upload, None)

    def laid_out(self, case: int, upload: str) -> Path:
        folder, files = self._of(case, upload), self.files(case, upload)
        if not files:
            raise UserError("nothing was uploaded yet")
        if missing := [each.path for each in files if not each.is_whole]:
            raise Conflict(
                f"{len(missing):,} files are not whole yet, such as {missing[0]!r}: send the rest, or drop them"
            )
        for each in files:
            _lay(folder, each)
        return folder / FILES

    def imported(self, case: int, upload: str, batch: int) -> None:
        folder = self._of(case, upload)
        _write(folder / "upload.json", {**json.loads((folder / "upload.json").read_bytes()), "batch": batch})

    def _of(self, case: int, upload: str) -> Path:
        folder = self._folder / str(case) / upload
        if not KEY.fullmatch(upload) or not (folder / "upload.json").exists():
            raise NotFound("there is no such upload of this case")
        return folder

    def _with(self, case: int, upload: str, file: str) -> Path:
        folder = self._of(case, upload)
        if not KEY.fullmatch(file) or not (folder / f"{file}.json").exists():
            raise NotFound("there is no such file in this upload")
        return folder

    def _taken(self, folder: Path, case: int, upload: str) -> set[str]:
        """Paths of files, and those of their folders: none may be both."""
        if upload not in self._paths:
            self._paths[upload] = {each.path for each in self.files(case, upload)}
        return self._paths[upload]

    def _check_room(self, folder: Path, length: int) -> None:
        if length > self._most:
            raise TooLong(f"a file has at most {self._most:,} bytes (setting upload_mb)")
        if shutil.disk_usage(folder).free - length < self._reserve:
            raise TooLong("the server's disk has no room for this file; somebody has to make some")

    def _free(self, file: str) -> None:
        with self._lock:
            self._open.discard(file)


def _upload(folder: Path) -> Upload:
    note = json.loads((folder / "upload.json").read_bytes())
    return Upload(id=folder.name, case=int(folder.parent.name), **note)


def _arriving(folder: Path, key: str) -> Arriving:
    note = json.loads((folder / f"{key}.json").read_bytes())
    part = folder / f"{key}.part"
    size = part.stat().st_size if part.exists() else note["length"]
    return Arriving(id=key, path=note["path"], length=note["length"], offset=size, sha256=note["sha256"])


def _lay(folder: Path, each: Arriving) -> None:
    """Moved once; after a kill the rest follows. A file where a folder has to be gets a name beside it."""
    part, place = folder / f"{each.id}.part", folder / FILES / each.path
    if not part.exists():
        return
    note = json.loads((folder / f"{each.id}.json").read_bytes())
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.is_dir():
            raise FileExistsError
    except (FileExistsError, NotADirectoryError):
        place = folder / FILES / f"{each.id} {Path(each.path).name}"[:200]
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if note["modified_ms"] is not None:
        os.utime(part, ns=(time.time_ns(), note["modified_ms"] * 1_000_000))
    os.rename(part, place)


def _write(path: Path, note: dict[str, Any]) -> None:
    """Whole or not at all."""
    beside = path.with_suffix(".new")
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(note, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
