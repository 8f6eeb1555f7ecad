"""Small Office, OpenDocument and compound files made from scratch, for the handler tests."""

import io
import struct
import zipfile

from redwell.handlers.structures.compound_writer import Storage, write

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_OOXML = "application/vnd.openxmlformats-officedocument."
NAMESPACES = f'xmlns:w="{_W}" xmlns:a="{_A}" xmlns:p="{_P}" xmlns:r="{_R}"'
CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lease</dc:title>'
    "<dc:creator>Jane Roe</dc:creator><cp:lastModifiedBy>John Doe</cp:lastModifiedBy>"
    "<dcterms:created>2020-03-04T05:06:07+01:00</dcterms:created></cp:coreProperties>"
)
_CORE_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"


def zipped(parts: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return out.getvalue()


def with_parts(data: bytes, parts: dict[str, str]) -> bytes:
    """The package with further parts."""
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name, content)
    return out.getvalue()


def relations(**targets: str) -> str:
    """Relationship id to "type target"."""
    items = "".join(
        f'<Relationship Id="{key}" Type="{_R}/{value.split()[0]}" Target="{value.split()[1]}"/>'
        for key, value in targets.items()
    )
    return f'<Relationships xmlns="{_RELATIONS}">{items}</Relationships>'


def package(main: str, types: dict[str, str], parts: dict[str, str | bytes]) -> bytes:
    """An OOXML package whose main part is `main`; `types` gives the content types of its parts."""
    default = '<Default Extension="xml" ContentType="application/xml"/>'
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in types.items())
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_TYPES}">{default}{overrides}</Types>',
            "_rels/.rels": relations(r1=f"officeDocument {main}"),
            **parts,
        }
    )


def docx(body: str, **further: str | bytes) -> bytes:
    """A Word document; `header`, `footnotes`, … are parts' contents, other names are paths with `__` for `/`."""
    kinds = {"header": "hdr", "footer": "ftr", "footnotes": "footnotes", "comments": "comments"}
    types = {"word/document.xml": _OOXML + "wordprocessingml.document.main+xml", "docProps/core.xml": _CORE_TYPE}
    parts: dict[str, str | bytes] = {
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
        "docProps/core.xml": CORE,
    }
    for name, content in further.items():
        if name in kinds:
            types[f"word/{name}1.xml"] = f"{_OOXML}wordprocessingml.{name}+xml"
            parts[f"word/{name}1.xml"] = f"<w:{kinds[name]} {NAMESPACES}>{content!s}</w:{kinds[name]}>"
        else:
            parts[name.replace("__", "/")] = content
    return package("word/document.xml", types, parts)


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def slide(text: str, attributes: str = "") -> str:
    shape = f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    return f"<p:sld {NAMESPACES} {attributes}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>"


def pptx(slides: list[str], notes: dict[int, str]) -> bytes:
    """A presentation with these slide parts, and notes by the number of their slide."""
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    parts: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            **{f"r{n}": f"slide slides/slide{n}.xml" for n in range(len(slides))}
        ),
        "docProps/core.xml": CORE,
    }
    for number, content in enumerate(slides):
        parts[f"ppt/slides/slide{number}.xml"] = content
    for number, content in notes.items():
        parts[f"ppt/notesSlides/notes{number}.xml"] = slide(content)
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(n=f"notesSlide ../notesSlides/notes{number}.xml")
    types = {"ppt/presentation.xml": _OOXML + "presentationml.presentation.main+xml", "docProps/core.xml": _CORE_TYPE}
    return package("ppt/presentation.xml", types, parts)


def xlsx(sheets: dict[str, str], hidden: tuple[str, ...] = (), **further: str | bytes) -> bytes:
    """A workbook with these sheets, each given as the XML inside `worksheet`."""
    types = {"xl/workbook.xml": _OOXML + "spreadsheetml.sheet.main+xml", "docProps/core.xml": _CORE_TYPE}
    parts: dict[str, str | bytes] = {"docProps/core.xml": CORE}
    listed = ""
    for number, (name, content) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name in hidden else ""
        listed += f'<sheet name="{name}" sheetId="{number}"{state} r:id="r{number}"/>'
        part = f"xl/worksheets/sheet{number}.xml"
        types[part] = _OOXML + "spreadsheetml.worksheet+xml"
        parts[part] = f'<worksheet xmlns="{_S}">{content}</worksheet>'
    parts["xl/workbook.xml"] = f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets>{listed}</sheets></workbook>'
    parts["xl/_rels/workbook.xml.rels"] = relations(
        **{f"r{n}": f"worksheet worksheets/sheet{n}.xml" for n in range(1, len(sheets) + 1)}
    )
    for name, more in further.items():
        part = f"xl/{name}1.xml"
        types[part] = f"{_OOXML}spreadsheetml.{name}+xml" if name == "comments" else f"{_OOXML}{name}+xml"
        parts[part] = more
    return package("xl/workbook.xml", types, parts)


def row(number: int, *cells: str) -> str:
    """A row of inline strings, beginning at column A."""
    made = "".join(
        f'<c r="{chr(65 + n)}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for n, text in enumerate(cells)
    )
    return f'<row r="{number}">{made}</row>'


def property_set(*values: tuple[int, str], code_page: int = 1252, codec: str = "cp1252") -> bytes:
    """A SummaryInformation stream with these text properties."""
    body, table = b"", b""
    items = [(1, struct.pack("<IHH", 2, code_page, 0))]
    for key, text in values:
        raw = text.encode(codec) + b"\0"
        items.append((key, struct.pack("<II", 30, len(raw)) + raw.ljust(len(raw) + 3 & ~3, b"\0")))
    for key, raw in items:
        table += struct.pack("<II", key, 8 + 8 * len(items) + len(body))
        body += raw
    section = struct.pack("<II", 8 + len(table) + len(body), len(items)) + table + body
    return struct.pack("<HHI16sI16sI", 0xFFFE, 0, 2, bytes(16), 1, bytes(16), 48) + section


def doc(
    text: str, *, flags: int = 0, storages: dict[str, Storage] | None = None, streams: dict[str, bytes] | None = None
) -> bytes:
    """A Word 97 document of one piece."""
    header = bytearray(0x200)
    struct.pack_into("<HH", header, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", header, 0x0A, flags)
    raw = text.encode("utf-16-le")
    pieces = struct.pack("<II", 0, len(raw) // 2) + struct.pack("<HIH", 0, len(header), 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", header, 0x01A2, 0, len(clx))
    summary = property_set((2, "Lease"), (4, "Jané Roe"))
    root = Storage(streams={"WordDocument": bytes(header) + raw, "0Table": clx, "\x05SummaryInformation": summary})
    root.storages.update(storages or {})
    root.streams.update(streams or {})
    return write(root)


def packaged_file(name: str, data: bytes) -> bytes:
    """An Ole10Native stream around a file, as Windows' packager makes it."""
    label = name.encode("cp1252") + b"\0"
    path = b"C:\\x\\" + label
    body = b"\x02\0" + label + path + b"\0\0\x03\0" + struct.pack("<I", len(path)) + path
    body += struct.pack("<I", len(data)) + data
    return struct.pack("<I", len(body)) + body


def odf(content: str, media_type: str, **further: str | bytes) -> bytes:
    """An OpenDocument file with this inside `office:body`."""
    out = io.BytesIO()
    parts: dict[str, str | bytes] = {
        "content.xml": f'<office:document-content xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:table="b" '
        f'xmlns:presentation="p"><office:body>{content}</office:body></office:document-content>',
        "meta.xml": '<office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><office:meta><dc:title>Lease'
        "</dc:title><meta:initial-creator>Jane Roe</meta:initial-creator><dc:creator>John Doe</dc:creator>"
        "<meta:creation-date>2020-03-04T05:06:07.123</meta:creation-date></office:meta></office:document-meta>",
        "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="m"/>',
        **{name.replace("__", "/").replace("_xml", ".xml"): data for name, data in further.items()},
    }
    with zipfile.ZipFile(out, "w") as target:
        target.writestr("mimetype", media_type)
        for name, data in parts.items():
            target.writestr(name, data)
    return out.getvalue()
