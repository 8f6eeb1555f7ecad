"""Images of discs with two sides, ISO 9660 and UDF, for tests and for the fuzzer."""

import io
from collections.abc import Mapping
from unittest import mock

import pycdlib

ONLY_UDF = {"/a letter.txt": b"Dear Ann, " * 900, "/empty": b""}


def image(only_udf: Mapping[str, bytes] = ONLY_UDF) -> bytes:
    """The same bytes at every run."""
    with mock.patch("time.time", return_value=1_600_000_000.0), mock.patch("random.getrandbits", return_value=4711):
        return _image(only_udf)


def _image(only_udf: Mapping[str, bytes]) -> bytes:
    disc = pycdlib.PyCdlib()
    disc.new(udf="2.60", interchange_level=3)
    disc.add_directory("/DIR", udf_path="/dir ä")
    disc.add_fp(io.BytesIO(b"deep"), 4, "/DIR/B.TXT;1", udf_path="/dir ä/b.txt")
    for path, data in only_udf.items():
        disc.add_fp(io.BytesIO(data), len(data), udf_path=path)
    out = io.BytesIO()
    disc.write_fp(out)
    disc.close()
    return out.getvalue()
