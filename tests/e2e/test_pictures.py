"""Pictures inside documents as documents of their own, through the real product."""

import json
from pathlib import Path

from tests.support.evidence import mail
from tests.support.office_files import docx, paragraph
from tests.support.product import documents, redwell, verified

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(40)


def test_the_setting_decides_and_is_part_of_what_work_is_known_by(tmp_path: Path) -> None:
    source, home = tmp_path / "in", tmp_path / "home"
    source.mkdir()
    word = docx(paragraph("see the drawing"), **{"word__media__image1.png": PICTURE})
    (source / "mail.eml").write_bytes(mail("drawing", "attached", {"a.docx": word}))
    found, processed = [], []
    for value in ("none", "children", "none", "children"):
        run = redwell(home, "import", str(source), "--case", "c", "--json", "--set", f"embedded_images={value}")
        assert run.returncode == 0, run.stderr
        summary = json.loads(run.stdout)
        found.append(summary["documents"])
        processed.append(summary["processed"])
    assert (found, processed) == ([2, 3, 2, 3], [2, 3, 0, 0])
    [picture, _] = [row for row in documents(home, "c") if row["depth"] == 2]
    assert picture["path"] == "mail.eml//a.docx//image1.png"
    verified(home, "c")
