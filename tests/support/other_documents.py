"""Small files of rarer formats made from scratch, for the handler tests and the fuzz harness."""

import io
import sqlite3
import struct
import wave
import zipfile
import zlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from tests.support.help_files import chm
from tests.support.office_files import docx, package, paragraph, zipped
from tests.support.onenote_files import Store
from tests.support.transcripts import DVT, page_image

from redwell.handlers.documents.hangul_distribution import lifted
from redwell.handlers.sheets import access
from redwell.handlers.structures.compound_writer import Storage, write


def wpd(text: bytes, *, major: int = 2, key: int = 0, kind: int = 10, packets: tuple[bytes, ...] = ()) -> bytes:
    index = struct.pack("<HH10x", 2, 1 + len(packets))
    place = 16 + len(index) + 14 * len(packets)
    for packet in packets:
        index += struct.pack("<BBHHII", 2, 8, 0, 0, len(packet), place)
        place += len(packet)
    head = b"\xffWPC" + struct.pack("<IBBBBHH", place, 1, kind, major, 1, key, 16)
    return head + index + b"".join(packets) + text


def wordperfect_code(code: int, kind: int, body: bytes = b"") -> bytes:
    length = 7 + len(body)
    return struct.pack("<BBH", code, kind, length) + body + struct.pack("<HB", length, code)


def protobuf(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out, value = out + bytes((value & 0x7F | 0x80,)), value >> 7
    return out + bytes((value,))


def iwa_message(number: int, kind: int, payload: bytes) -> bytes:
    info = protobuf(1, number) + protobuf(2, protobuf(1, kind) + protobuf(3, len(payload)))
    return varint(len(info)) + info + payload


def iwa(*messages: bytes) -> bytes:
    data = b"".join(messages)
    packed = varint(len(data)) + bytes((61 << 2,)) + struct.pack("<H", len(data) - 1) + data
    return b"\0" + len(packed).to_bytes(3, "little") + packed


def summary(title: str) -> bytes:
    text = title.encode() + b"\0"
    section = struct.pack("<IIII", 0, 1, 2, 16) + struct.pack("<II", 30, len(text)) + text
    head = struct.pack("<HHI16xI", 0xFFFE, 0, 0, 1)
    return head + bytes(16) + struct.pack("<I", len(head) + 20) + section


def _pointer(kind: int, offset: int, length: int, form: int) -> bytes:
    return struct.pack("<IIIIH", kind, 0, offset, length, form)


def visio(*texts: str, version: int = 11) -> bytes:
    """One page; behind it settings that are stored as a list would be and are none."""
    chunks = b"".join(_chunk(text) for text in texts)
    page, tree = 0x100, 0x100 + len(chunks)
    pointers = struct.pack("<III", 4, 2, 0) + _pointer(0x15, page, len(chunks), 0xD0) + _pointer(0x45, 0x80, 4, 0x50)
    out = bytearray(0x100)
    out[0x1A] = version
    out[0x80:0x84] = b"\xff\0\0\0"
    out[0x24 : 0x24 + 18] = _pointer(0x14, tree, len(pointers), 0x50)
    return bytes(out) + chunks + pointers


def _chunk(text: str) -> bytes:
    raw = bytes(8) + text.encode("utf-16-le") + b"\0\0"
    return struct.pack("<IIIIHB", 0x0E, 1, 0, len(raw), 2, 0x50) + raw


def hangul(properties: int) -> bytes:
    text = struct.pack("<8H", 2, 0, 0, 0, 0, 0, 0, 2) + "계약서".encode("utf-16-le") + b"\r\0"
    record = struct.pack("<I", 67 | len(text) << 20) + text
    packer = zlib.compressobj(wbits=-15)
    section = packer.compress(record) + packer.flush() if properties & 1 else record
    header = b"HWP Document File".ljust(36, b"\0") + struct.pack("<I", properties)
    body = Storage(streams={"Section0": _handed_out(section) if properties & 4 else section})
    storages = {"ViewText" if properties & 4 else "BodyText": body}
    return write(Storage(streams={"FileHeader": header.ljust(256, b"\0")}, storages=storages))


def _handed_out(section: bytes) -> bytes:
    """As a document for reading alone keeps it: behind a part that hides the key."""
    seed = 0x1234ABC5
    part = struct.pack("<I", seed) + bytes(seed & 15) + b"sixteen byte key"
    veiled = lifted(part.ljust(256, b"\7"), seed)
    writer = Cipher(algorithms.AES(b"sixteen byte key"), modes.ECB()).encryptor()  # as the format has it
    padded = section + bytes(-len(section) % 16)
    return struct.pack("<I", 28 | 256 << 20) + veiled + writer.update(padded) + writer.finalize()


def hangul_package(manifest: str = "<m/>") -> bytes:
    """Two sections that are stored in another order than they are read in."""
    words = "<s><p><run><t>계약서 {}</t></run></p><p><run><t>a<tab/>b</t></run></p></s>"
    meta = '<meta name="creator">Ann</meta><meta name="CreatedDate">2025-04-22T11:28:59Z</meta>'
    parts = {
        "mimetype": "application/hwp+zip",
        "Contents/content.hpf": f"<package><metadata><title>Lease</title>{meta}</metadata></package>",
        "Contents/section10.xml": words.format("10"),
        "Contents/section2.xml": words.format("2"),
        "META-INF/manifest.xml": manifest,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:  # the first part tells the type, and is not packed
        for name, text in parts.items():
            package.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


def excel_record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def excel_label(row: int, text: bytes) -> bytes:
    return excel_record(0x0204, struct.pack("<HHHH", row, 0, 0, len(text)) + text)


def excel_95(*cells: bytes, code_page: int) -> bytes:
    """A BIFF 5 workbook with one sheet."""
    start = excel_record(0x0809, struct.pack("<HHHH", 0x0500, 5, 0, 0))
    start += excel_record(0x42, struct.pack("<H", code_page))
    label = b"\x04Rent"
    sheet = excel_record(0x85, struct.pack("<IBB", len(start) + 4 + 6 + len(label) + 4, 0, 0) + label)
    body = excel_record(0x0809, struct.pack("<HHHH", 0x0500, 0x10, 0, 0)) + b"".join(cells)
    stream = start + sheet + excel_record(0x0A, b"") + body + excel_record(0x0A, b"")
    return write(Storage(streams={"Book": stream.ljust(4096, b"\0")}))


def dbf(rows: list[bytes], driver: int = 0, count: int | None = None) -> bytes:
    columns = b"NAME".ljust(11, b"\0") + b"C" + bytes(4) + bytes((12, 0)) + bytes(14)
    columns += b"N".ljust(11, b"\0") + b"I" + bytes(4) + bytes((4, 0)) + bytes(14)
    header = 32 + len(columns) + 1
    head = struct.pack("<4BIHH16xBBxx", 3, 120, 5, 6, len(rows) if count is None else count, header, 17, 0, driver)
    return head + columns + b"\r" + b"".join(rows) + b"\x1a"


def dbf_row(name: bytes, number: int, mark: bytes = b" ") -> bytes:
    return mark + name.ljust(12) + struct.pack("<i", number)


def sqlite_file(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return bytes(data)


def access_file(version: int, *, page_key: int = 0, password: bytes = b"", crypto: int = 0) -> bytes:
    clear = bytearray(4096)
    struct.pack_into("<I", clear, 0x3E, page_key)
    clear[0x42 : 0x42 + len(password)] = password
    masked = bytearray(clear)
    masked[0x18 : 0x18 + 128] = access._rc4(bytes(clear[0x18 : 0x18 + 128]))
    masked[:20] = b"\x00\x01\x00\x00Standard Jet DB\0" if version < 2 else b"\x00\x01\x00\x00Standard ACE DB\0"
    struct.pack_into("<I", masked, 0x14, version)
    struct.pack_into("<H", masked, 0x299, crypto)
    return bytes(masked)


def sound() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * 4000))
    return out.getvalue()


def exe(kind: int = 0x2102) -> bytes:
    head = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    head += b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 0, 1_500_000_000, 0, 0, 0, kind)
    names = "VS_VERSION_INFO\0CompanyName\0\0Contoso\0FileVersion\0002.1\0"
    return head + bytes(100) + names.encode("utf-16-le")


def wmf_record(function: int, body: bytes) -> bytes:
    body += bytes(len(body) % 2)
    return struct.pack("<IH", 3 + len(body) // 2, function) + body


def wmf(*records: bytes) -> bytes:
    return struct.pack("<HHHIHIH", 1, 9, 0x0300, 0, 0, 0, 0) + b"".join(records)


def fiction_book(picture: str = "iVBORw0KGgo=") -> bytes:
    """In a code page, as most are; one author has a full name, the other a nickname."""
    about = (
        "<genre>prose</genre><author><first-name>Анна</first-name><last-name>Иванова</last-name></author>"
        "<author><nickname>Bob</nickname></author><book-title>Аренда</book-title>"
        "<annotation><p>Краткая\n повесть</p></annotation><date>1999</date><lang>ru</lang>"
        "<translator><first-name>Carl</first-name></translator>"
    )
    file = (
        "<author><nickname>scanner</nickname></author><program-used>Editor</program-used>"
        '<date value="2024-05-06">6 мая</date>'
    )
    origin = "<publisher>Press</publisher><isbn>978-5</isbn>"
    body = (
        "<section><title><p>Глава 1</p></title>\n<p>Первая <strong>строка</strong> в 1812 году</p>"
        "<table><tr><th>Январь</th><td>100</td></tr></table></section>"
    )
    text = (
        '<?xml version="1.0" encoding="windows-1251"?>\n<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">'
        f"<description><title-info>{about}</title-info><document-info>{file}</document-info>"
        f"<publish-info>{origin}</publish-info></description><body>{body}</body>"
        f'<binary id="cover.png" content-type="image/png">{picture}</binary></FictionBook>'
    )
    return text.encode("cp1251")


def owner_file(name: str, program: str = "word") -> bytes:
    """What Office lays beside an open document: the user's name in the machine's code page, and in UTF-16."""
    narrow, wide = name.encode("cp1252", "replace"), name.encode("utf-16-le")
    size, place, fill = (162, 54, b"\0") if program == "word" else (165, 55, b" ")
    gap = b"\0" if program == "powerpoint" else b""
    first = (bytes([len(narrow)]) + narrow + gap).ljust(place, fill)
    second = len(name).to_bytes(2, "little") + wide
    return first + second + (fill + b"\0").ljust(2, b"\0") * ((size - place - len(second)) // 2)


def _locked(document: bytes) -> bytes:
    from msoffcrypto.format.ooxml import OOXMLFile

    out = io.BytesIO()
    OOXMLFile(io.BytesIO(document)).encrypt("password", out)
    return out.getvalue()


def epub(**further: str) -> bytes:
    opf = (
        '<package xmlns:dc="d"><metadata><dc:title>The book</dc:title><dc:creator>Jane Roe</dc:creator></metadata>'
        '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    container = (
        '<container><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container + "</container>",
            "b.opf": opf,
            "c.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Once upon a time.</p></body></html>',
            **{f"META-INF/{name}.xml": text for name, text in further.items()},
        }
    )


def xps(page: str) -> bytes:
    """One page of it."""
    types = {"Documents/1/Pages/1.fpage": "application/vnd.ms-package.xps-fixedpage+xml"}
    parts = {"Documents/1/Pages/1.fpage": page, "FixedDoc.fdoc": "<FixedDocument/>"}
    return package("FixedDocSeq.fdseq", types, dict(parts))


def samples() -> dict[str, bytes]:
    """A good file of each format, by name."""
    store = Store()
    store.add(2, {0x1C22: "a note\0".encode("utf-16-le")})
    store.add(1, {0x1CF3: "Plan\0".encode("utf-16-le"), 0x1D9C: "a.txt\0".encode("utf-16-le")}, children=(2, 5))
    store.add_file(5, b"attached")
    words = iwa_message(1, 2001, protobuf(3, b"a page"))
    drawing = {"VisioDocument": visio("Router", "Switch"), "\x05SummaryInformation": summary("Net")}
    text = wmf_record(0x0521, struct.pack("<H", 4) + b"plan" + bytes(4))
    return {
        "note.one": store.bytes(),
        "brief.wpd": wpd(b"Dear\x80Ann" + wordperfect_code(0xD0, 4) + b"the\x80brief"),
        "page.pages": zipped({"Index/Document.iwa": iwa(words)}),
        "net.vsd": write(Storage(streams=drawing)),
        "contract.hwp": hangul(1),
        "contract.hwpx": hangul_package(),
        "rent.xls": excel_95(excel_label(0, "契約".encode("cp932")), code_page=932),
        "deals.dbf": dbf([dbf_row(b"Smith", 1), dbf_row(b"Jones", 2, b"*")], driver=3),
        "deals.sqlite": sqlite_file("CREATE TABLE t (a, b)", "INSERT INTO t VALUES ('x', 1)"),
        "deals.mdb": access_file(1),
        "book.fb2": fiction_book(),
        "book.epub": epub(),
        "page.xps": xps('<FixedPage><Glyphs UnicodeString="Signed"/></FixedPage>'),
        "rent.chm": chm(),
        "volume.dat": "þBEGBATESþ\x14þENDBATESþ\r\nþA1þ\x14þA2þ\r\n".encode(),
        "roe.txt": page_image(1, 3).encode(),
        "roe.dvt": DVT.encode("latin-1"),
        "roe.ptx": b"PTX\x00\x01\x02" + bytes(range(64)),
        "~$brief.docx": owner_file("Ann Smith"),
        "call.wav": sound(),
        "setup.exe": exe(),
        "chart.wmf": wmf(text, wmf_record(0, b"")),
        "locked.docx": _locked(docx(paragraph("behind a password"))),
    }
