"""A DOCX with a picture in it."""

import io
import zipfile

from tests.faults.test_profiles import letter

_DRAWING = (
    '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
    '<wp:extent cx="3000000" cy="2000000"/><wp:docPr id="1" name="p"/>'
    '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">'
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">'
    '<pic:nvPicPr><pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
    '<a:blip r:embed="rIdP" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'
    '<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>'
    '<a:ext cx="3000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>'
    "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rIdP"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/p.png"/>'
    "</Relationships>"
)


def letter_with(png: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(letter("A letter"))) as old, zipfile.ZipFile(out, "w") as new:
        for name in set(old.namelist()) - {"word/_rels/document.xml.rels"}:
            part = old.read(name)
            if name == "word/document.xml":
                part = part.replace(b"</w:body>", _DRAWING.encode() + b"</w:body>")
            if name == "[Content_Types].xml":
                part = part.replace(b"<Override", b'<Default Extension="png" ContentType="image/png"/><Override', 1)
            new.writestr(name, part)
        new.writestr("word/_rels/document.xml.rels", _RELATIONS)
        new.writestr("word/media/p.png", png)
    return out.getvalue()
