"""Office and OpenDocument files, each with the least XML that word processors accept."""

from xml.sax.saxutils import escape

from .archives import zipped

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "application/vnd.openxmlformats-officedocument"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_DUBLIN = "http://purl.org/dc"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def docx(paragraphs: list[str], *, title: str, author: str) -> bytes:
    runs = "".join(f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text in paragraphs)
    document = f'<w:document xmlns:w="{_WORD}"><w:body>{runs}</w:body></w:document>'
    parts = {"word/document.xml": (document, f"{_MAIN}.wordprocessingml.document.main+xml")}
    return _package("word/document.xml", parts, title=title, author=author)


def xlsx(rows: list[list[str | int | float]], *, title: str, author: str) -> bytes:
    data = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    sheet = f'<worksheet xmlns="{_SHEET}"><sheetData>{data}</sheetData></worksheet>'
    book = (
        f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{escape(title[:31])}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    parts = {
        "xl/workbook.xml": (book, f"{_MAIN}.spreadsheetml.sheet.main+xml"),
        "xl/worksheets/sheet1.xml": (sheet, f"{_MAIN}.spreadsheetml.worksheet+xml"),
    }
    links = {"xl/_rels/workbook.xml.rels": [("worksheet", "worksheets/sheet1.xml")]}
    return _package("xl/workbook.xml", parts, links, title=title, author=author)


def pptx(slides: list[list[str]], *, title: str, author: str) -> bytes:
    """Slides need a layout, that a master, and that a theme: without them no program shows any."""
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="rId{i + 2}"/>' for i in range(len(slides)))
    deck = (
        f'<p:presentation xmlns:p="{_SLIDE}" xmlns:r="{_OFFICE}"><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        f'r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>'
        '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    )
    kind = f"{_MAIN}.presentationml"
    parts = {
        "ppt/presentation.xml": (deck, f"{kind}.presentation.main+xml"),
        "ppt/slideMasters/slideMaster1.xml": (_master(), f"{kind}.slideMaster+xml"),
        "ppt/slideLayouts/slideLayout1.xml": (_layout(), f"{kind}.slideLayout+xml"),
        "ppt/theme/theme1.xml": (_theme(), f"{_MAIN}.theme+xml"),
    }
    links = {
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": [
            ("slideLayout", "../slideLayouts/slideLayout1.xml"),
            ("theme", "../theme/theme1.xml"),
        ],
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": [("slideMaster", "../slideMasters/slideMaster1.xml")],
        "ppt/_rels/presentation.xml.rels": [("slideMaster", "slideMasters/slideMaster1.xml")],
    }
    for number, lines in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{number}.xml"] = (_slide(lines), f"{kind}.slide+xml")
        links[f"ppt/slides/_rels/slide{number}.xml.rels"] = [("slideLayout", "../slideLayouts/slideLayout1.xml")]
        links["ppt/_rels/presentation.xml.rels"].append(("slide", f"slides/slide{number}.xml"))
    return _package("ppt/presentation.xml", parts, links, title=title, author=author)


def odt(paragraphs: list[str], *, title: str, author: str) -> bytes:
    body = "".join(f"<text:p>{escape(text)}</text:p>" for text in paragraphs)
    content = (
        f'{_XML}<office:document-content xmlns:office="{_ODF}:office:1.0" xmlns:text="{_ODF}:text:1.0" '
        f'office:version="1.3"><office:body><office:text>{body}</office:text></office:body></office:document-content>'
    )
    meta = (
        f'{_XML}<office:document-meta xmlns:office="{_ODF}:office:1.0" xmlns:meta="{_ODF}:meta:1.0" '
        f'xmlns:dc="{_DUBLIN}/elements/1.1/" office:version="1.3"><office:meta><dc:title>{escape(title)}'
        f"</dc:title><meta:initial-creator>{escape(author)}</meta:initial-creator></office:meta></office:document-meta>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    files = {"content.xml": "text/xml", "meta.xml": "text/xml", "/": kind}
    entries = "".join(f'<m:file-entry m:full-path="{k}" m:media-type="{v}"/>' for k, v in files.items())
    manifest = f'{_XML}<m:manifest xmlns:m="{_ODF}:manifest:1.0" m:version="1.3">{entries}</m:manifest>'
    members = {"mimetype": kind, "content.xml": content, "meta.xml": meta, "META-INF/manifest.xml": manifest}
    return zipped({name: text.encode() for name, text in members.items()}, stored=("mimetype",))


def _cell(value: str | int | float) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"


_NAMES = f'xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}"'
_COLOURS = "bg1 tx1 bg2 tx2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink".split()
_OF_THEME = "lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink".split()


def _tree(shapes: str = "") -> str:
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    return f"<p:cSld><p:spTree>{group}{shapes}</p:spTree></p:cSld>"


def _slide(lines: list[str]) -> str:
    """The first line as its title, the others below."""
    title = _box(2, "Title", lines[:1], (685800, 457200, 7772400, 1143000))
    rest = _box(3, "Text", lines[1:], (685800, 1828800, 7772400, 4114800))
    return f"<p:sld {_NAMES}>{_tree(title + rest)}</p:sld>"


def _box(number: int, name: str, lines: list[str], place: tuple[int, int, int, int]) -> str:
    size = 4000 if name == "Title" else 2400
    left, top, width, height = place
    paragraphs = "".join(
        f'<a:p><a:r><a:rPr lang="en-GB" sz="{size}"/><a:t>{escape(line)}</a:t></a:r></a:p>' for line in lines
    )
    about = f'<p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    where = f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
    shape = f'<p:spPr>{where}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
    return f"<p:sp>{about}{shape}<p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"


def _master() -> str:
    colours = " ".join(f'{name}="{of}"' for name, of in zip(_COLOURS, _OF_THEME, strict=True))
    layouts = '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>'
    return f"<p:sldMaster {_NAMES}>{_tree()}<p:clrMap {colours}/>{layouts}</p:sldMaster>"


def _layout() -> str:
    return f'<p:sldLayout {_NAMES} type="blank">{_tree()}</p:sldLayout>'


def _theme() -> str:
    shades = {"lt1": "FFFFFF", "dk1": "000000", "lt2": "EEEEEE", "dk2": "1F3A5F"}
    colours = "".join(
        f'<a:{name}><a:srgbClr val="{shades.get(name, "4472C4")}"/></a:{name}>'
        for name in ("dk1", "lt1", "dk2", "lt2", *_OF_THEME[4:])
    )
    font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    styles = {
        "fillStyleLst": fill,
        "lnStyleLst": f'<a:ln w="6350">{fill}</a:ln>',
        "effectStyleLst": "<a:effectStyle><a:effectLst/></a:effectStyle>",
        "bgFillStyleLst": fill,
    }
    formats = "".join(f"<a:{name}>{style * 3}</a:{name}>" for name, style in styles.items())
    return (
        f'<a:theme xmlns:a="{_DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">{colours}</a:clrScheme>'
        f'<a:fontScheme name="Plain"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="Plain">{formats}</a:fmtScheme></a:themeElements></a:theme>'
    )


def _package(
    main: str,
    parts: dict[str, tuple[str, str]],
    links: dict[str, list[tuple[str, str]]] | None = None,
    *,
    title: str,
    author: str,
) -> bytes:
    core = (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="{_DUBLIN}/elements/1.1/" '
        f'xmlns:dcterms="{_DUBLIN}/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">2023-03-14T09:30:00Z</dcterms:created></cp:coreProperties>'
    )
    core_type = "application/vnd.openxmlformats-package.core-properties+xml"
    every = {**parts, "docProps/core.xml": (core, core_type)}
    members = {"[Content_Types].xml": _content_types({name: kind for name, (_, kind) in every.items()})}
    main_link = (f"{_OFFICE}/officeDocument", main)
    core_link = (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml")
    members["_rels/.rels"] = _relations([main_link, core_link])
    for name, targets in (links or {}).items():
        members[name] = _relations([(f"{_OFFICE}/{kind}", target) for kind, target in targets])
    members |= {name: _XML + text for name, (text, _) in every.items()}
    return zipped({name: text.encode() for name, text in members.items()})


def _content_types(kinds: dict[str, str]) -> str:
    default = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in kinds.items())
    return f'{_XML}<Types xmlns="{_PACKAGE}/content-types">{default}{overrides}</Types>'


def _relations(targets: list[tuple[str, str]]) -> str:
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'
