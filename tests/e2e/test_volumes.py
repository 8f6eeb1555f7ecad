"""Sets of volumes through the real product: what is in them comes out, every file is accounted for."""

import gzip
import io
import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.cabinets import cabinet, cabinet_set
from tests.support.evidence import mail, zipped
from tests.support.libarchive_files import made
from tests.support.product import ask, documents, redwell, verified
from tests.support.rar_files import NUMBERS, PACKED_5, Member, rar5
from tests.support.volume_files import named_zip, pieces, split_rar, split_zip

pytestmark = pytest.mark.requirement("A7", "A20")

NOTES = {f"{n}.txt": f"note {n}: ".encode() + random.Random(n).randbytes(400).hex().encode() for n in range(5)}


def packed_7z() -> bytes:
    import py7zr

    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w") as archive:
        for name, data in NOTES.items():
            archive.writestr(data, name)
    return buffer.getvalue()


def tarred() -> bytes:
    return gzip.compress(made("gnutar", NOTES), mtime=0)


def numbered(stem: str, data: bytes, size: int) -> dict[str, bytes]:
    return {f"{stem}.{n:03}": piece for n, piece in enumerate(pieces(data, size), 1)}


def sets() -> dict[str, bytes]:
    new, old = (split_rar(Member("n.txt", NUMBERS, packed), 3, old=old) for packed, old in ((PACKED_5, 0), (None, 1)))
    report = "".join(f"line {n} of the report\n" for n in range(500)).encode()
    return {
        **named_zip("a", split_zip(NOTES, 900)),
        **numbered("b.7z", packed_7z(), 800),
        **{f"c.part{n}.rar": data for n, data in enumerate(new, 1)},
        **dict(zip(("d.rar", "d.r00", "d.r01"), old, strict=True)),
        **numbered("report.txt", report, 4000),
        **{f"disk{n}.cab": data for n, data in enumerate(cabinet_set(NOTES, 900), 1)},
        **{f"e.tar.gz.a{letter}": piece for letter, piece in zip("abcdef", pieces(tarred(), 900), strict=False)},
    }


def written(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def imported(home: Path, source: Path) -> dict[str, dict[str, Any]]:
    run = redwell(home, "import", str(source), "--case", "c", "--json", "--set", "chunk=4")
    assert run.returncode == 0 and json.loads(run.stdout)["balanced"], run.stderr
    verified(home, "c")
    return {row["path"]: row for row in documents(home, "c")}


def below(rows: Mapping[str, Any], head: str) -> list[str]:
    return sorted(row["path"].rpartition("//")[2] for row in rows.values() if row["path"].startswith(f"{head}//"))


def test_sets_in_a_folder_give_what_is_in_them_and_every_volume_is_an_exhibit(tmp_path: Path) -> None:
    files = sets()
    rows = imported(tmp_path / "home", written(tmp_path / "in", files))
    assert set(files) <= set(rows) and {row["outcome"] for row in rows.values()} == {"SUCCESS"}
    heads = ("a.zip", "b.7z.001", "disk1.cab", "e.tar.gz.aa")
    assert [below(rows, head) for head in heads] == [sorted(NOTES)] * 4
    assert below(rows, "c.part1.rar") == below(rows, "d.rar") == ["n.txt"]
    assert rows["report.txt.001"]["text_chars"] == sum(len(d) for n, d in files.items() if n.startswith("report"))
    assert rows["a.z01"]["problems"] == [{"code": "VOLUME_OF", "detail": "a.zip"}]
    assert ask(tmp_path / "home", "exceptions", "--case", "c").stdout == ""


def test_a_set_in_an_archive_is_joined_and_a_second_import_does_no_work(tmp_path: Path) -> None:
    home, files = tmp_path / "home", sets()
    source = written(tmp_path / "in", {"outer.zip": zipped(files), "a copy.zip": zipped(files)})
    rows = imported(home, source)
    for outer in ("outer.zip", "a copy.zip"):
        assert sorted(NOTES) == below(rows, f"{outer}//a.zip") == below(rows, f"{outer}//b.7z.001")
    again = redwell(home, "import", str(source), "--case", "c", "--json")
    assert json.loads(again.stdout)["processed"] == 0
    assert len(documents(home, "c")) == 2 * len(rows)


def test_a_missing_volume_makes_the_head_partial_and_the_whole_set_later_is_read_anew(tmp_path: Path) -> None:
    home, files = tmp_path / "home", named_zip("a", split_zip(NOTES, 900))
    source = written(tmp_path / "in", files)
    (source / "a.z02").rename(tmp_path / "a.z02")
    head = imported(home, source)["a.zip"]
    assert (head["outcome"], head["detail"]) == ("PARTIAL", "the volume .z02 is missing")
    [line] = [x for x in ask(home, "exceptions", "--case", "c").stdout.splitlines() if ".z02 is missing" in x]
    assert line.startswith("a.zip: PARTIAL in extract")
    shutil.move(tmp_path / "a.z02", source)
    imported(home, source)
    heads = [row for row in documents(home, "c") if row["path"] == "a.zip"]
    assert [row["outcome"] for row in heads] == ["PARTIAL", "SUCCESS"]


def test_cabinets_that_are_whole_stay_what_they_are_however_they_are_numbered(tmp_path: Path) -> None:
    files = {f"{n}.cab": cabinet({f"{n}.txt": b"note %d" % n}) for n in (1, 2, 7)}
    rows = imported(tmp_path / "home", written(tmp_path / "in", files))
    assert {row["outcome"] for row in rows.values()} == {"SUCCESS"}
    assert [below(rows, name) for name in files] == [["1.txt"], ["2.txt"], ["7.txt"]]


def test_a_missing_cabinet_is_named_as_the_others_call_it(tmp_path: Path) -> None:
    files = {f"disk{n}.cab": data for n, data in enumerate(cabinet_set(NOTES, 900), 1)}
    del files[f"disk{len(files)}.cab"]
    rows = imported(tmp_path / "home", written(tmp_path / "in", files))
    head = rows["disk1.cab"]
    assert head["outcome"] == "INVALID_FILE"  # all of it is one block, whose end is missing
    assert f"the volume disk{len(files) + 1}.cab is missing" in [each["detail"] for each in head["problems"]]


def test_volumes_that_were_named_one_by_one_are_joined(tmp_path: Path) -> None:
    home, files = tmp_path / "home", named_zip("a", split_zip(NOTES, 900)) | {"b.rar": rar5([Member("n.txt", NUMBERS)])}
    source = written(tmp_path / "in", files)
    run = redwell(home, "import", *(str(source / name) for name in files), "--case", "c", "--json")
    assert run.returncode == 0 and json.loads(run.stdout)["balanced"], run.stderr
    verified(home, "c")
    rows = {row["path"]: row for row in documents(home, "c")}
    assert {row["outcome"] for row in rows.values()} == {"SUCCESS"}
    assert below(rows, "a.zip") == sorted(NOTES) and below(rows, "b.rar") == ["n.txt"]
    assert rows["a.z01"]["problems"] == [{"code": "VOLUME_OF", "detail": "a.zip"}]


def test_pages_with_numbers_for_extensions_are_read_one_by_one(tmp_path: Path) -> None:
    from PIL import Image

    pages = {}
    for n in range(1, 4):
        buffer = io.BytesIO()
        Image.new("L", (20, 10), n).save(buffer, "TIFF")  # uncompressed: all of one size
        pages[f"scan.{n:03}"] = buffer.getvalue()
    rows = imported(tmp_path / "home", written(tmp_path / "in", pages))
    assert {(row["kind"], row["metadata"]["width"]) for row in rows.values()} == {("image", 20)}


def test_no_document_is_hidden_by_the_name_of_a_volume(tmp_path: Path) -> None:
    """Anybody may call a file so; whatever is whole by itself is read, the files that seem to be heads too."""
    mails = [mail(f"letter {n}", f"the words of letter {n}") for n in range(2)]
    files = {
        "a.rar": rar5([Member("in a.txt", NUMBERS, PACKED_5)]),
        "a.r00": b"a memo that somebody put beside an archive",
        "b.zip": zipped({"in b.txt": b"the words of b"}),
        "b.z01": zipped({"in b too.txt": b"other words"}),
        "c.part1.rar": mails[0],
        "c.part2.rar": mails[1],
        "d.7z.001": packed_7z(),
        "d.7z.002": packed_7z() + b"\0",
    }
    rows = imported(tmp_path / "home", written(tmp_path / "in", files))
    assert {row["outcome"] for row in rows.values()} == {"SUCCESS"}
    assert [rows[path]["text_chars"] > 0 for path in ("a.r00", "c.part1.rar", "c.part2.rar")] == [True] * 3
    assert below(rows, "a.rar") + below(rows, "b.zip") + below(rows, "b.z01") == [
        "in a.txt",
        "in b.txt",
        "in b too.txt",
    ]
    assert below(rows, "d.7z.001") == below(rows, "d.7z.002") == sorted(NOTES)


def test_a_handler_reads_nothing_but_the_volumes_of_its_set(tmp_path: Path) -> None:
    """The same names in two folders are two sets."""
    ours, theirs = ({name: data + tag for name, data in NOTES.items()} for tag in (b"ours", b"theirs"))
    written(tmp_path / "in" / "1", named_zip("a", split_zip(ours, 900)))
    written(tmp_path / "in" / "2", named_zip("a", split_zip(theirs, 900)))
    rows = imported(tmp_path / "home", tmp_path / "in")
    assert {row["outcome"] for row in rows.values()} == {"SUCCESS"}
    hashes = [{row["sha256"] for path, row in rows.items() if path.startswith(f"{n}/a.zip//")} for n in (1, 2)]
    assert [len(each) for each in hashes] == [5, 5] and not hashes[0] & hashes[1]
