"""Archives whose readers are system libraries, through the real product: they work inside of the sandbox."""

import io
from pathlib import Path

import pycdlib
import pytest
from tests.support.libarchive_files import made
from tests.support.product import documents, redwell, verified
from tests.support.rar_files import Member, packed_literally, rar3
from tests.support.raw_discs import in_sectors, synced

pytestmark = pytest.mark.requirement("A7")

WORDS = {name: f"these are the words of {name}".encode() for name in ("one.txt", "two.txt")}


def disc() -> bytes:
    image, out = pycdlib.PyCdlib(), io.BytesIO()
    image.new(udf="2.60", interchange_level=3)
    for name, data in WORDS.items():
        image.add_fp(io.BytesIO(data), len(data), udf_path=f"/{name}")
    image.write_fp(out)
    image.close()
    return out.getvalue()


def test_discs_with_udf_or_whole_sectors_xar_and_old_solid_rar_are_opened_in_the_sandbox(tmp_path: Path) -> None:
    source, home = tmp_path / "in", tmp_path / "home"
    source.mkdir()
    (source / "disc.iso").write_bytes(disc())
    (source / "disc.udf").write_bytes(disc().replace(b"CD001", b"XXXXX"))
    (source / "disc.bin").write_bytes(in_sectors(made("iso9660", WORDS), *synced(1)))
    (source / "install.pkg").write_bytes(made("xar", WORDS))
    solid = [
        Member(name, data, packed_literally(data, tables=not number), solid=bool(number))
        for number, (name, data) in enumerate(WORDS.items())
    ]
    (source / "solid.rar").write_bytes(rar3(solid))
    assert redwell(home, "import", str(source), "--case", "c").returncode == 0
    rows = documents(home, "c")
    assert {row["outcome"] for row in rows} == {"SUCCESS"}
    containers = ("disc.iso", "disc.udf", "disc.bin", "install.pkg", "solid.rar")
    assert {row["path"] for row in rows if row["depth"]} == {f"{path}//{name}" for path in containers for name in WORDS}
    assert len({row["sha256"] for row in rows if row["depth"]}) == 2
    verified(home, "c")
