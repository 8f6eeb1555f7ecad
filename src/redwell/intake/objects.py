"""Walks and reads evidence that lies in a bucket, as walk and read do with files. Runs in the importing process."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from redwell.core.names import display, quoted, unquoted
from redwell.core.outcomes import Code
from redwell.core.reading import Problem
from redwell.core.work.records import Found, ToRead
from redwell.intake.read import READINGS, Loaded, Reading
from redwell.intake.untouched import refusal
from redwell.ports.remote_source import SCHEME, Changed, RemoteSource


def is_remote(source: bytes) -> bool:
    return source.startswith(SCHEME.encode())


def walk_objects(source: RemoteSource) -> Iterator[Found]:
    for each in source.listed():
        name = os.fsencode(each.place)
        yield Found(
            locator=quoted(name),
            name=display(os.path.basename(name.rstrip(b"/"))),
            path=display(name),
            size=each.size,
            dates={"modified": datetime.fromtimestamp(each.modified_ms / 1e3, UTC).isoformat()},
        )


@dataclass(frozen=True, slots=True)
class ReadingObjects(Reading):
    """`opened` gives the source of a file; what is no object is read as a file."""

    opened: Callable[[str], RemoteSource]

    def load(self, file: ToRead) -> Loaded:
        place = unquoted(file.source)
        if not is_remote(place):
            return Reading.load(self, file)  # super() is another class: slots make it anew
        source, name = self.opened(os.fsdecode(place)), os.fsdecode(unquoted(file.locator))
        for _ in range(READINGS):
            try:
                found = source.look(name)
                return Loaded(file, self.taken(source.parts(found), found.size))
            except Changed:
                continue
            except OSError as error:
                return Loaded(file, None, (refusal(error),))
        changed = Problem(code=Code.SOURCE_CHANGED, detail=f"it changed during each of {READINGS} readings")
        return Loaded(file, None, (changed,))
