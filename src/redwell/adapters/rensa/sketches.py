"""Sketches of texts by rensa's MinHash. Made in the process that looks for near duplicates."""

from collections.abc import Collection

from rensa import RMinHash

from redwell.core.case.near import VALUES, packed

_SEED = 42  # of every sketch that a case keeps: those of another one cannot be compared with them


def sketch_of(runs: Collection[str]) -> bytes:
    minhash = RMinHash(num_perm=VALUES, seed=_SEED)
    minhash.update(list(runs))
    return packed(minhash.digest())
