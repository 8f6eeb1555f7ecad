"""Words that charts show in Word and PowerPoint files."""

from pathlib import Path

import pytest
from tests.support.office_files import NAMESPACES, odf, package, paragraph, relations, slide
from tests.support.pieces import read, read_by_type

from redwell.handlers.sheets import spreadsheet
from redwell.handlers.slides import slides

_OOXML = "application/vnd.openxmlformats-officedocument."
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_CATEGORIES = (
    "<c:cat><c:strRef><c:f>Sheet1!$A$2</c:f><c:strCache><c:pt><c:v>Zürich</c:v></c:pt></c:strCache></c:strRef></c:cat>"
)
_SERIES = (
    "<c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>{}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    + _CATEGORIES
    + "<c:val><c:numRef><c:numCache><c:pt><c:v>4.3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>"
)
_CHART = (
    f'<c:chartSpace xmlns:c="urn:c" {_A}><c:title><a:p><a:r><a:t>Rents</a:t></a:r></a:p></c:title>'
    + _SERIES.format("North")
    + _SERIES.format("South")
    + "</c:chartSpace>"
)
_NEWER = (
    '<cx:chartSpace xmlns:cx="urn:cx"><cx:strDim><cx:lvl><cx:pt>Zürich</cx:pt></cx:lvl></cx:strDim>'
    "<cx:numDim><cx:lvl><cx:pt>4.3</cx:pt></cx:lvl></cx:numDim><cx:tx><cx:v>North</cx:v></cx:tx></cx:chartSpace>"
)
_CASES = pytest.mark.parametrize(
    ("chart", "kind", "shown"),
    [
        (_CHART, _OOXML + "drawingml.chart+xml", "Rents\nNorth\nZürich\nSouth\n"),
        (_NEWER, "application/vnd.ms-office.chartex+xml", "Zürich\nNorth\n"),
    ],
)


@_CASES
def test_a_chart_in_a_document_tells_its_words_once_and_no_numbers(
    chart: str, kind: str, shown: str, tmp_path: Path
) -> None:
    types = {"word/document.xml": _OOXML + "wordprocessingml.document.main+xml", "word/charts/chart1.xml": kind}
    body = f"<w:document {NAMESPACES}><w:body>{paragraph('Report')}</w:body></w:document>"
    data = package("word/document.xml", types, {"word/document.xml": body, "word/charts/chart1.xml": chart})
    assert read_by_type(data, tmp_path).text == "Report\n" + shown


@_CASES
def test_a_chart_on_a_slide_tells_its_words_once_and_no_numbers(
    chart: str, kind: str, shown: str, tmp_path: Path
) -> None:
    relation = "chartEx" if "chartex" in kind else "chart"
    listed = '<p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst>'
    parts: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}>{listed}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(r0="slide slides/slide0.xml"),
        "ppt/slides/slide0.xml": slide("Report"),
        "ppt/slides/_rels/slide0.xml.rels": relations(c=f"{relation} ../charts/chart1.xml"),
        "ppt/charts/chart1.xml": chart,
    }
    types = {"ppt/presentation.xml": _OOXML + "presentationml.presentation.main+xml", "ppt/charts/chart1.xml": kind}
    assert read(slides, package("ppt/presentation.xml", types, parts), tmp_path).text == "Report\n" + shown


_OASIS = "application/vnd.oasis.opendocument."
_ENTRY = f'<m:file-entry m:full-path="Object 1/" m:media-type="{_OASIS}chart"/>'
_OPEN_CHART = (
    '<o:body xmlns:o="o" xmlns:t="t" xmlns:b="b" xmlns:c="c"><c:title><t:p>Rents</t:p></c:title><b:table><b:table-row>'
    "<b:table-cell><t:p>Zürich</t:p></b:table-cell><b:table-cell><t:p>4.3</t:p></b:table-cell></b:table-row></b:table>"
    "</o:body>"
)
_INSIDE: dict[str, str | bytes] = {
    "META-INF__manifest_xml": f'<m:manifest xmlns:m="m">{_ENTRY}</m:manifest>',
    "Object 1__content_xml": _OPEN_CHART,
}


def test_a_chart_in_an_open_document_tells_its_title_and_its_table(tmp_path: Path) -> None:
    data = odf("<office:text><text:p>Report</text:p></office:text>", _OASIS + "text", **_INSIDE)
    assert read_by_type(data, tmp_path).text.split() == ["Report", "Rents", "Zürich", "4.3"]


def test_a_chart_of_cells_tells_its_title_alone(tmp_path: Path) -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>Zürich</text:p></table:table-cell>'
    table = f'<table:table table:name="Sheet"><table:table-row>{cell}</table:table-row></table:table>'
    data = odf(f"<office:spreadsheet>{table}</office:spreadsheet>", _OASIS + "spreadsheet", **_INSIDE)
    assert read(spreadsheet, data, tmp_path).text.split() == ["Sheet", "Zürich", "Rents"]
