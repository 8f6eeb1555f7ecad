"""A load file among other files is told to be one; tables and texts of other kinds are left alone."""

from pathlib import Path

import pytest
from tests.support.load_file_volume import sound_volume
from tests.support.pieces import BytesSource, read

from redwell.core.loadfiles.formats.edrm import EdrmDocument, write_documents
from redwell.core.loadfiles.formats.sniff import LoadFileKind
from redwell.core.outcomes import Code
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.candidates import Candidates
from redwell.handlers.host.registry import load
from redwell.handlers.loadfiles import load_file
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

pytestmark = pytest.mark.requirement("A13")

SAMPLES: dict[str, tuple[bytes, LoadFileKind, int]] = {
    "opt": (b"A1,V,I\\A1.TIF,Y,,,2\r\nA2,V,I\\A2.TIF,,,,\r\n", LoadFileKind.OPTICON, 2),
    "lfp": (b"IM,A1,D,0,@V;I;A1.TIF;2\r\n", LoadFileKind.LFP, 1),
    "dii": (b"@C HASIMAGE YES\r\n@T A1\r\nA1.TIF\r\n@T A2\r\nA2.TIF\r\n", LoadFileKind.DII, 2),
    "csv": (b'DOCID,CUSTODIAN,TEXTPATH\r\n"A\r\n1",Ann,t/A1.txt\r\n', LoadFileKind.DELIMITED, 1),
    "xml": ("".join(write_documents([EdrmDocument(id="A1")])).encode(), LoadFileKind.EDRM, 1),
    "utf-16": ("\ufeffþBEGBATESþ\x14þENDBATESþ\r\nþA1þ\x14þA2þ\r\n".encode("utf-16-le"), LoadFileKind.DELIMITED, 1),
    "cp1252": ("þBEGBATESþ\x14þENDBATESþ\r\nþA1þ\x14þMüllerþ\r\n".encode("cp1252"), LoadFileKind.DELIMITED, 1),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_load_file_is_known_counted_and_told(name: str, tmp_path: Path) -> None:
    data, kind, rows = SAMPLES[name]
    assert load_file.probe(data[:4096])
    found = read(load_file, data, tmp_path)
    assert (found.metadata["loadfile_kind"], found.metadata["loadfile_rows"]) == (kind.value, rows)
    assert [(trouble.code, trouble.partial) for trouble in found.troubles] == [(Code.LOADFILE_AS_TEXT, False)]
    assert "A1" in found.text or "A\n1" in found.text


def test_a_dat_is_offered_to_it_before_plain_text(tmp_path: Path) -> None:
    source = BytesSource(sound_volume(tmp_path / "V").write().read_bytes())
    media_type = detect(source.open, source.size, "V.dat")
    assert [each.spec.name for each in Candidates(load(BUILT_IN)).of(media_type, source)] == ["loadfile", "text"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Dear Ann,\n\nsee you, Bob\n",
        b"name,amount\nAnn,1\n",
        b"id,name,parent\n1,x,\n2,y,1\n",
        b"from,to,subject\na@b.c,d@e.f,hi\n",
        b'<html><body>"a","b"</body></html>',
        b"<Root><Item/></Root>",
        b"2001-05-21;12;13\n2001-05-22;12;14\n",
        b"IM, as they say, late\n",
    ],
)
def test_other_texts_and_tables_are_no_load_files(data: bytes) -> None:
    assert not load_file.probe(data)


def test_a_damaged_one_is_told_without_a_count(tmp_path: Path) -> None:
    found = read(load_file, SAMPLES["xml"][0][:-20], tmp_path)
    assert "loadfile_rows" not in found.metadata
    assert found.troubles[0].detail.startswith("a load file (edrm) with rows: read as text")
