"""Load files of a production, by every preset and option: read back by our lint and by readers that are not ours."""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.loadfiles.presets import PRESETS
from redwell.core.production.columns import Circumstances
from redwell.core.production.selection import members_of
from redwell.core.production.values import Production, Terms
from redwell.core.production.volume_options import OPTIONS, options_of
from redwell.produce.journal import MemberOut, PageOut
from redwell.produce.load_files import LoadFiles
from redwell.produce.out_folder import OutFolder
from redwell.produce.volume_paths import VolumePaths
from redwell.produce.volume_writing import Plan
from redwell.runtime.loadfiles.linting import VolumeLint, volumes
from redwell.runtime.loadfiles.opened import Given

pytestmark = pytest.mark.requirement("D13")
SUBJECT = 'Quarter "2"; a\\b, c|d\nand more'
TERMS = Terms(prefix="ABC")


def exhibit(key: int, family: int, **more: Any) -> Exhibit:
    known: dict[str, Any] = dict.fromkeys(Exhibit.__struct_fields__)
    about = {"date": "2001-05-21T15:48:00+00:00", "subject": SUBJECT, "to": ["a@b.c", "d@e.f"]}
    known |= {"id": key, "family": family, "root": family, "parent": family if family != key else None}
    known |= {"path": f"in/n{key}.eml", "name": f"n{key}.eml", "control_number": f"RW{key:08d}", "outcome": "SUCCESS"}
    known |= {"problems": [], "custodians": ["Lee, Ann", "Roe, Jo"], "custodian": "Lee, Ann", "source_dates": {}}
    return Exhibit(**{**known, "metadata": about, "sha256": bytes([key]) * 32, "size": 9, **more})


EXHIBITS = [exhibit(1, 1, kind="mail"), exhibit(2, 1), exhibit(3, 3)]


def written(root: Path, preset: str, given: dict[str, str]) -> Path:
    """The volume with every file that the load files name, each of a few bytes."""
    options = options_of(preset, "VOL001", given)
    members = members_of(EXHIBITS, TERMS, {}, {1: 2, 2: 1, 3: 1})
    made = Production(id=1, name="P", query="", who="ada", created_ms=0, terms=TERMS, first=1, last=4, documents=3,
                      pages=4, left_out={}, is_fixed=False)  # fmt: skip
    plan = Plan(production=made, members=members, redactions={}, options=options)
    paths, out, done = VolumePaths(TERMS, members, options), OutFolder(root), dict[int, MemberOut]()
    kind = "application/pdf" if options.images == "pdf" else "image/tiff"
    for member in members:
        count = 1 if kind == "application/pdf" else member.pages
        places = [paths.page(member, page, kind) for page in range(1, count + 1)]
        text = paths.text(member)
        for place in (*places, text):
            data = b"%PDF-1.7" if place.endswith("pdf") else b"II*\0\x08\0\0\0" if place in places else b"words"
            out.put(f"VOL001/{place}", [data])
        pages = [PageOut(place, "", 8, kind) for place in places]
        done[member.ordinal] = MemberOut(ordinal=member.ordinal, pages=pages, text=PageOut(text, "", 5, "text/plain"))
    about = Circumstances(terms=TERMS, layout=options.layout, volume="VOL001", zone=UTC, zone_name="UTC")
    LoadFiles(plan, _rows, about, done).write(out)
    return root / "VOL001"


def _rows(keys: Sequence[int]) -> Iterator[Exhibit]:
    return (each for each in EXHIBITS if each.id in keys)


def found_in(volume: Path, folder: str = "DATA") -> set[str]:
    [files] = volumes([volume / folder])
    meant = {"date-order-assumed", "file-unnamed"}  # load files do not name each other
    return {finding.code for finding in VolumeLint(files, Given())} - meant


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_reads_back_without_a_finding_and_by_pythons_own_reader(preset: str, tmp_path: Path) -> None:
    volume, layout = written(tmp_path / "out", preset, {}), PRESETS[preset]
    assert found_in(volume, layout.folders[0]) == set()
    [table] = [path for path in (volume / layout.folders[0]).iterdir() if path.suffix in (".dat", ".csv")]
    text = table.read_bytes().decode(layout.encoding)
    assert text.startswith("\ufeff") == layout.mark and text.endswith("\r\n")
    signs = {"delimiter": layout.dialect.separator, "quotechar": layout.dialect.qualifier}
    header, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True, **signs)
    assert len(rows) == 3 and {len(row) for row in rows} == {len(header)}
    begin = {"relativity": "Production::Begin Bates", "nextpoint": "bates_start"}.get(preset, "BEGBATES")
    assert [row[header.index(begin)] for row in rows] == ["ABC000001", "ABC000003", "ABC000004"]
    subject = rows[0][[name.lower() for name in header].index("subject")]
    assert subject == SUBJECT.replace("\n", layout.dialect.newline_sign or "\n")
    if preset == "nuix":
        opt = (volume / "DATA/VOL001.opt").read_text()
        assert {"ITEMPATH", "TEXTPATH", "DOCID"} <= set(header) and opt.startswith("ABC000001,,IMAGES\\001\\")


@pytest.mark.parametrize(
    "given",
    [
        {"separator": "|", "qualifier": "94", "newline_sign": "126", "multi": "~"},
        {"separator": ",", "qualifier": '"', "newline_sign": "", "escape": "backslash"},
        {"separator": ",", "qualifier": '"', "newline_sign": "", "escape": "double", "qualify": "needed"},
        {"encoding": "utf-16-le", "mark": "yes", "header_case": "upper", "record_end": "lf"},
        {"encoding": "cp1252", "mark": "no", "qualify": "needed", "slash": "/", "lead": "./"},
        {"date_format": "%Y-%m-%d", "time_format": "%H:%M", "split_times": "yes", "volume_column": "no"},
        {"formats": "csv,lfp", "files_per_folder": "1"},
        {"formats": "edrm,opt", "images": "pdf", "dpi": "150"},
        {"formats": "dat,opt", "tiff": "lzw", "shades": "tiff", "quality": "70"},
        {"formats": "dat,opt,lfp", "records_per_file": "0", "folders": "A,B,C,D", "nested": "/"},
    ],
    ids=lambda given: "+".join(given),
)
def test_each_option_reads_back_without_a_finding(given: dict[str, str], tmp_path: Path) -> None:
    volume = written(tmp_path / "out", "relativity", given)
    folder = given.get("folders", "DATA").partition(",")[0]
    if folder == "DATA":
        assert found_in(volume) == set()
    assert len(list((volume / folder).iterdir())) == len(given.get("formats", "dat,opt").split(","))


def test_every_option_is_tried_above() -> None:
    [tried] = [mark.args[1] for mark in test_each_option_reads_back_without_a_finding.pytestmark if mark.args]  # type: ignore[attr-defined]
    assert {name for given in tried for name in given} == set(OPTIONS)


def test_edrm_xml_is_read_by_another_parser(tmp_path: Path) -> None:
    volume = written(tmp_path / "out", "relativity", {"formats": "edrm"})
    root = ElementTree.parse(volume / "DATA/VOL001.xml").getroot()
    tags = {tag.get("TagName"): tag.get("TagValue") for tag in root.iter("Tag")}
    assert [each.get("DocID") for each in root.iter("Document")] == ["ABC000001", "ABC000003", "ABC000004"]
    assert [each.get("ChildDocID") for each in root.iter("Relationship")] == ["ABC000003"]
    assert tags["subject"] == SUBJECT


def test_an_option_that_cannot_be_is_refused_by_name() -> None:
    for name, value in (("escape", "triple"), ("record_end", "cr"), ("qualify", "some"), ("colour", "red")):
        with pytest.raises(UserError, match=name):
            options_of("relativity", "V", {name: value})
