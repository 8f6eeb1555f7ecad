"""Small blobs in a bucket: packs of a chunk against an object each (docs/adr/0014). python -m benchmarks.small_blobs

Both go through the blob store, with a sync after every hundred, to the AWS server of the tests on this machine.
"""

import argparse
import hashlib
import os
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.support import aws

from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.store import S3Blobs, Sizes

CHUNK = 100


def measure(url: str, blobs: list[bytes], packed: bool) -> tuple[float, float, int]:
    """Seconds to store them, seconds for another machine to place them all, objects."""
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        rows = []
        started = time.monotonic()
        with closing(S3Blobs(Path(here), "w1", Objects(url), Sizes())) as store:
            for number, data in enumerate(blobs, 1):
                if packed:
                    sha256 = hashlib.sha256(data).digest()
                    rows.append((sha256, store.append(sha256, data)))
                else:
                    stored = store.spill([data])
                    rows.append((stored.digests.sha256, stored.location))
                if number % CHUNK == 0:
                    store.sync()
        stored_s = time.monotonic() - started
        started = time.monotonic()
        with closing(S3Blobs(Path(there), "w2", Objects(url), Sizes())) as other:
            for row in rows:
                other.place(*row)
    return (
        stored_s,
        time.monotonic() - started,
        sum(1 for kind in ("packs/", "files/") for _ in Objects(url).names(kind)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blobs", type=int, default=3000)
    parser.add_argument("--bytes", type=int, default=8000)
    args = parser.parse_args()
    blobs = [os.urandom(args.bytes) for _ in range(args.blobs)]
    try:
        os.environ.update(aws.server().environment())
        for packed in (True, False, True, False):
            url = f"s3://{aws.server().new_bucket()}/bench"
            stored_s, placed_s, objects = measure(url, blobs, packed)
            kind = "packs" if packed else "one each"
            print(f"{kind}: {objects} objects, stored in {stored_s:.1f} s, placed elsewhere in {placed_s:.1f} s")
    finally:
        aws.stop_server()


if __name__ == "__main__":
    main()
