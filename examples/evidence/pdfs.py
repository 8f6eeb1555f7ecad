"""PDF files written by hand: pages of text, an embedded file, a password, a file that was cut off."""

import io
import zlib

_LINES_ON_A_PAGE = 50


def pdf(lines: list[str], *, title: str = "", author: str = "", embedded: tuple[str, bytes] | None = None) -> bytes:
    """Pages of Helvetica text; `embedded` is the name and bytes of a file that the PDF carries."""
    pages = [lines[i : i + _LINES_ON_A_PAGE] for i in range(0, len(lines), _LINES_ON_A_PAGE)] or [[]]
    first_page = 5
    kids = " ".join(f"{first_page + 2 * i} 0 R" for i in range(len(pages)))
    info = f"<< /Title {_string(title)} /Author {_string(author)} /CreationDate (D:20230314093000Z) >>"
    bodies = [b"", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    bodies += [
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        info.encode("latin-1"),
    ]
    for index, page in enumerate(pages):
        bodies += [_page(first_page + 2 * index + 1), _stream(_drawing(page))]
    names = ""
    if embedded:
        names = f" /Names << /EmbeddedFiles << /Names [{_string(embedded[0])} {len(bodies) + 1} 0 R] >> >>"
        bodies += _embedded_file(*embedded, number=len(bodies) + 1)
    bodies[0] = f"<< /Type /Catalog /Pages 2 0 R{names} >>".encode("latin-1")
    return _file(bodies)


def pdf_with_password(lines: list[str], password: str) -> bytes:
    """The same under a user password; the old cipher, since the new ones give other bytes each time."""
    import pikepdf

    buffer = io.BytesIO()
    lock = pikepdf.Encryption(owner=password, user=password, R=3, aes=False, metadata=False)
    with pikepdf.open(io.BytesIO(pdf(lines))) as document:
        document.save(buffer, encryption=lock, static_id=True)
    return buffer.getvalue()


def _page(contents: int) -> bytes:
    return (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {contents} 0 R "
        f"/Resources << /Font << /F1 3 0 R >> >> >>"
    ).encode()


def _drawing(lines: list[str]) -> bytes:
    shown = " ".join(f"{_string(line)} Tj T*" for line in lines)
    return f"BT /F1 11 Tf 14 TL 60 780 Td {shown} ET".encode("latin-1")


def _stream(data: bytes, extra: str = "") -> bytes:
    packed = zlib.compress(data, 6)
    return f"<< /Length {len(packed)} /Filter /FlateDecode{extra} >>\nstream\n".encode() + packed + b"\nendstream"


def _embedded_file(name: str, data: bytes, *, number: int) -> list[bytes]:
    label = _string(name)
    spec = f"<< /Type /Filespec /F {label} /UF {label} /EF << /F {number + 1} 0 R >> >>"
    return [spec.encode("latin-1"), _stream(data, f" /Type /EmbeddedFile /Params << /Size {len(data)} >>")]


def _string(text: str) -> str:
    return "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"


def _file(bodies: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
