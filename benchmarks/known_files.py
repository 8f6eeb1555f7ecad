"""How fast a list of known files is built and asked. Used by benchmarks.run.

python -m benchmarks.known_files [--hashes N]
"""

import argparse
import sqlite3
import sys
import tempfile
import time
from hashlib import md5
from pathlib import Path
from random import Random
from typing import Any

from redwell.adapters.files import known_hashes_builder
from redwell.adapters.files.known_hashes import HashFile

LOOK_UPS = 200_000
_ROWS = 100_000


def made_list(path: Path, hashes: int) -> None:
    """A legacy NSRLFile.txt of random hashes."""
    chance = Random(7)
    with path.open("w") as file:
        file.write('"SHA-1","MD5","CRC32","FileName","FileSize","ProductCode","OpSystemCode","SpecialCode"\n')
        for start in range(0, hashes, _ROWS):
            raw = chance.randbytes(16 * min(_ROWS, hashes - start)).hex().upper()
            file.writelines(
                f'"{"0" * 40}","{raw[at : at + 32]}","00000000","a.dll",1,1,"1",""\n' for at in range(0, len(raw), 32)
            )


def made_database(path: Path, hashes: int) -> None:
    """An RDSv3 database of as many."""
    chance = Random(7)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("CREATE TABLE METADATA (sha1 TEXT, md5 TEXT, file_name TEXT)")
    for start in range(0, hashes, _ROWS):
        raw = chance.randbytes(16 * min(_ROWS, hashes - start)).hex().upper()
        rows = (("", raw[at : at + 32], "a.dll") for at in range(0, len(raw), 32))
        database.executemany("INSERT INTO METADATA VALUES (?, ?, ?)", rows)
    database.commit()
    database.close()


def measured(work: Path, hashes: int) -> dict[str, Any]:
    """Seconds to build from each kind of source, look-ups a second, and the size of the list."""
    target = work / "known.nist"
    seconds = {}
    for kind, make in (("NSRLFile.txt", made_list), ("RDSv3 database", made_database)):
        source = work / "source"
        make(source, hashes)
        started = time.monotonic()
        told = known_hashes_builder.build([str(source)], target)
        seconds[kind] = time.monotonic() - started
        source.unlink()
    known = HashFile(target)
    wanted = [md5(str(number).encode()).digest() for number in range(LOOK_UPS)]
    started = time.monotonic()
    found = sum(value in known for value in wanted)
    rate = LOOK_UPS / (time.monotonic() - started)
    known.close()
    return {"hashes": told["hashes"], "bytes": told["bytes"], "seconds": seconds, "look_ups_s": rate, "found": found}


def line(told: dict[str, Any]) -> str:
    built = ", ".join(f"{seconds:.1f} s from {kind}" for kind, seconds in told["seconds"].items())
    return (
        f"Known files: a list of {told['hashes']:,} hashes ({told['bytes'] >> 20} MB) is built in {built}; "
        f"{told['look_ups_s']:,.0f} look-ups a second."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hashes", type=int, default=20_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="redwell-known-") as work:
        print(line(measured(Path(work), args.hashes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
