"""A file's type comes from its content, and from its name only where content does not tell."""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable

import pytest

from redwell.core.type_hints import expected_types, name_hint
from redwell.handlers.detect.detect import EMPTY, UNKNOWN, detect

pytestmark = pytest.mark.requirement("A6")

OOXML = "application/vnd.openxmlformats-officedocument."
MAIL = "message/rfc822"
HEADERS = (
    b"From: Jane <jane@example.com>\r\nTo: bob@example.com\r\nSubject: lease\r\nDate: Fri, 2 Feb 2001 10:00 +0000\r\n"
)
NOISE = bytes(range(256)) * 20


def type_of(data: bytes, name: str = "file") -> str:
    return detect(lambda: io.BytesIO(data), len(data), name)


def zipped(*names: str, contents: dict[str, str] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        for name, content in {**dict.fromkeys(names, "x"), **(contents or {})}.items():
            writer.writestr(name, content)
    return out.getvalue()


def compound(*names: str, class_id: bytes = bytes(16)) -> bytes:
    """An OLE2 file whose root holds empty streams of these names."""
    entries = [_entry("Root Entry", 5, child=1 if names else 0xFFFFFFFF, class_id=class_id)]
    for number, name in enumerate(names, 1):
        entries.append(_entry(name, 2, right=number + 1 if number < len(names) else 0xFFFFFFFF))
    directory = b"".join(entries).ljust(-(-len(entries) // 4) * 512, b"\0")
    sectors = len(directory) // 512
    chain = [*range(2, sectors + 1), 0xFFFFFFFE]
    fat = struct.pack("<128I", 0xFFFFFFFD, *chain, *[0xFFFFFFFF] * (127 - len(chain)))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    return header + struct.pack("<109I", 0, *[0xFFFFFFFF] * 108) + fat + directory


def _entry(
    name: str, kind: int, right: int = 0xFFFFFFFF, child: int = 0xFFFFFFFF, class_id: bytes = bytes(16)
) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    return struct.pack(
        "<64sHBBIII16sIQQIQ", raw, len(raw), kind, 1, 0xFFFFFFFF, right, child, class_id, 0, 0, 0, 0xFFFFFFFE, 0
    )


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"%PDF-1.7\n" + NOISE, "application/pdf"),
        (b"\r\n\r\n%PDF-1.4\n" + NOISE, "application/pdf"),
        (b"<html>moved</html>%PDF-1.4\n" + NOISE, "application/pdf"),
        (b"!BDN" + NOISE, "application/vnd.ms-outlook-pst"),
        (b"\x78\x9f\x3e\x22" + NOISE, "application/vnd.ms-tnef"),
        (b"{\\rtf1\\ansi hello}", "application/rtf"),
        (b"\x89PNG\r\n\x1a\n" + NOISE, "image/png"),
        (b"\xff\xd8\xff\xe0" + NOISE, "image/jpeg"),
        (b"GIF89a" + NOISE, "image/gif"),
        (b"BM" + bytes(12) + b"\x28\0\0\0" + NOISE, "image/bmp"),
        (b"II*\0" + NOISE, "image/tiff"),
        (b"RIFF\0\0\0\0WEBPVP8 " + NOISE, "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt " + NOISE, "audio/wav"),
        (b"\0\0\0\x18ftypheic\0\0\0\0" + NOISE, "image/heic"),
        (b"\0\0\0\x18ftypisom\0\0\0\0" + NOISE, "video/mp4"),
        (b"\0\0\0\x18ftypM4A \0\0\0\0" + NOISE, "audio/mp4"),
        (b"\x01\0\0\0" + bytes(36) + b" EMF" + NOISE, "image/emf"),
        (b"\x01\0\0\0" + bytes(36) + b" EMF" + bytes(90) + b"\n%PDF-1.4\n", "image/emf"),
        (b"\xd7\xcd\xc6\x9a" + NOISE, "image/wmf"),
        (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0" + NOISE, "image/vnd.microsoft.icon"),
        (b"ID3\x03\0" + NOISE, "audio/mpeg"),
        ((b"\xff\xfb\x90\0" + bytes(413)) * 3, "audio/mpeg"),
        (b"\x1aE\xdf\xa3" + NOISE, "video/x-matroska"),
        (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0" + NOISE, "application/vnd.microsoft.portable-executable"),
        (b"\x7fELF" + NOISE, "application/x-executable"),
        (b"7z\xbc\xaf\x27\x1c" + NOISE, "application/x-7z-compressed"),
        (b"Rar!\x1a\x07\x01\0" + NOISE, "application/vnd.rar"),
        (b"\x1f\x8b\x08\0" + NOISE, "application/gzip"),
        (b"\x28\xb5\x2f\xfd" + NOISE, "application/zstd"),
        (b"\x5d\0\0\x80\0" + b"\xff" * 8 + NOISE, "application/x-lzma"),
        (b"\x5e\0\0\x80\0" + (7168).to_bytes(8, "little") + b"\0" + NOISE, "application/x-lzma"),
        (b"\x5d\0\x10\0\0" + (7168).to_bytes(8, "little") + b"\0" + NOISE, "application/x-lzma"),
        (b"\x5d\0\x11\x22\x33" + (7168).to_bytes(8, "little") + b"\0" + NOISE, UNKNOWN),
        (b"\x50\x2a\x4d\x18\x04\0\0\0note\x28\xb5\x2f\xfd" + NOISE, "application/zstd"),
        (b"\x5f\x2a\x4d\x18\x04\0\0\0note\x04\x22\x4d\x18" + NOISE, "application/x-lz4"),
        (b"\x50\x2a\x4d\x18\x04\0\0\0note" + NOISE, UNKNOWN),
        (b"\x02\x21\x4c\x18" + NOISE, "application/x-lz4"),
        (b"\x71\xc7" + NOISE, "application/x-cpio"),
        (b"\x20\x11-pm2-" + NOISE, "application/x-lzh-compressed"),
        (b"SQLite format 3\0" + NOISE, "application/vnd.sqlite3"),
        (b"\0\x01\0\0Standard ACE DB\0" + NOISE, "application/x-msaccess"),
        (b"\xffWPC" + NOISE, "application/vnd.wordperfect"),
        (b"EVF\t\r\n\xff\0" + NOISE, "application/x-ewf"),
        (b"ADSEGMENTEDFILE\0" + NOISE, "application/x-ad1"),
        (bytes(0x8001) + b"CD001" + NOISE, "application/x-iso9660-image"),
        (b"\0" + b"\xff" * 10 + b"\0" + NOISE, "application/x-raw-cd-image"),
        (bytes(99) + NOISE + b"NER5" + bytes(8), "application/x-raw-cd-image"),
        (b"0\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03" + NOISE, "application/pkcs7-mime"),
        (b"\x09\x04\x06\x00\x00\x00\x10\x00" + NOISE, "application/vnd.ms-excel"),
        (NOISE, UNKNOWN),
        (b"", EMPTY),
    ],
)
def test_signatures_decide(data: bytes, media_type: str) -> None:
    assert type_of(data) == media_type
    assert type_of(data, "misleading.txt") == media_type


def test_tar_is_known_by_its_mark_or_by_its_checksum() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as writer:
        writer.addfile(tarfile.TarInfo("a.txt"))
    assert type_of(out.getvalue()) == "application/x-tar"
    header = bytearray(512)
    header[:5], header[100:107] = b"a.txt", b"0000644"
    header[148:156] = b"%06o\0 " % (sum(header) + 8 * 32)
    assert type_of(bytes(header) + bytes(1024)) == "application/x-tar"


@pytest.mark.parametrize(
    ("names", "media_type"),
    [
        (("WordDocument", "1Table"), "application/msword"),
        (("\x05SummaryInformation", "Workbook"), "application/vnd.ms-excel"),
        (("WORKBOOK",), "application/vnd.ms-excel"),
        (("ViewText", "FileHeader"), "application/x-hwp"),
        (("PowerPoint Document",), "application/vnd.ms-powerpoint"),
        (("__nameid_version1.0", "__properties_version1.0"), "application/vnd.ms-outlook"),
        (("VisioDocument",), "application/vnd.visio"),
        (("Quill", "Contents"), "application/x-mspublisher"),
        (("Props12",), "application/vnd.ms-project"),
        (("EncryptionInfo", "EncryptedPackage"), "application/x-ooxml-protected"),
        (("a", "b", "c", "d", "e", "f", "WordDocument"), "application/msword"),
        (("unheard of",), "application/x-ole-storage"),
        ((), "application/x-ole-storage"),
    ],
)
def test_compound_files_are_told_apart_by_their_streams(names: tuple[str, ...], media_type: str) -> None:
    assert type_of(compound(*names)) == media_type


def test_an_installer_is_told_by_its_class() -> None:
    assert type_of(compound("x", class_id=bytes.fromhex("84100c0000000000c000000000000046"))) == "application/x-msi"


@pytest.mark.parametrize("length", [8, 30, 511, 513, 1000])
def test_a_cut_off_compound_file_is_still_one(length: int) -> None:
    assert type_of(compound("WordDocument")[:length]) == "application/x-ole-storage"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (zipped("[Content_Types].xml", "word/document.xml"), OOXML + "wordprocessingml.document"),
        (
            zipped("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"),
            "application/vnd.ms-word.document.macroenabled.12",
        ),
        (zipped("_rels/.rels", "xl/workbook.xml", "[Content_Types].xml"), OOXML + "spreadsheetml.sheet"),
        (
            zipped("[Content_Types].xml", "xl/workbook.bin"),
            "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        ),
        (zipped("[content_types].xml", "XL\\workbook.xml"), OOXML + "spreadsheetml.sheet"),
        (zipped("[Content_Types].xml", "ppt/presentation.xml"), OOXML + "presentationml.presentation"),
        (zipped("[Content_Types].xml", "visio/document.xml"), "application/vnd.ms-visio.drawing"),
        (zipped("[Content_Types].xml", "FixedDocSeq.fdseq"), "application/vnd.ms-xpsdocument"),
        (
            zipped(contents={"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "x"}),
            "application/vnd.oasis.opendocument.text",
        ),
        (zipped("META-INF/container.xml", contents={"mimetype": "application/epub+zip"}), "application/epub+zip"),
        (zipped("OPS/a.xhtml", contents={"mimetype": "application/x-ibooks+zip"}), "application/epub+zip"),
        (zipped("a.xml", contents={"mimetype": "application/vnd.adobe.indesign-idml-package"}), "application/zip"),
        (zipped("META-INF/MANIFEST.MF", "A.class"), "application/java-archive"),
        (zipped("AndroidManifest.xml", "META-INF/MANIFEST.MF"), "application/vnd.android.package-archive"),
        (zipped("letter.txt", "word/notes.txt"), "application/zip"),
        (zipped(), "application/zip"),
        (zipped("[Content_Types].xml", "word/document.xml")[:-60], OOXML + "wordprocessingml.document"),
        (b"stub\x00\x01\x02" * 100 + zipped("a.txt"), "application/zip"),
    ],
)
def test_zip_files_are_told_apart_by_their_members(data: bytes, media_type: str) -> None:
    assert type_of(data) == media_type


def test_iwork_files_of_one_look_are_told_apart_by_name() -> None:
    data = zipped("Index/Document.iwa", "Metadata/BuildVersionHistory.plist")
    assert type_of(data, "a.pages") == "application/vnd.apple.pages"
    assert type_of(data, "a.numbers") == "application/vnd.apple.numbers"


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (HEADERS + b"\r\nbody", "note", MAIL),
        (HEADERS + b"\r\nbody", "note.txt", MAIL),
        (b"\r\n\r\n" + HEADERS + b"\r\nbody", "note", MAIL),
        (b"\xef\xbb\xbf" + HEADERS + b"\r\nbody", "note", MAIL),
        ((HEADERS + b"\r\nbody").decode().encode("utf-16"), "note", MAIL),
        (b"X-Odd: 1\n" + HEADERS.replace(b"\r", b"") + b"\nbody", "note", MAIL),
        (b"Received: from a\n\tby b; today\nReceived: from c\nMIME-Version: 1.0\n\n", "note", MAIL),
        (HEADERS + b"Content-Type: image/png\r\n\r\n" + NOISE, "note", MAIL),
        (HEADERS.replace(b"\r\n", b"\r") + b"\rold Mac", "note", MAIL),
        (b"Subject: lease\n\nwords", "draft.eml", MAIL),
        (b"just words", "draft.eml", MAIL),
        (b"Subject: lease\n\nwords", "draft", "text/plain"),
        (b"From: the board\nTo: all staff\nSubject: parking\n\nwords", "memo.txt", "text/plain"),
        (b"Note: this\nis: prose\n", "a", "text/plain"),
        (b"From jane@example.com Fri Feb  2 10:00:00 2001\n" + HEADERS + b"\nx", "inbox", "application/mbox"),
        (b"From jane@example.com Fri Feb  2 10:00:00 2001\n" + HEADERS + b"\nx", "one.eml", MAIL),
        (b"From jane Fri Feb  2 10:00:00 2001\n\nno fields", "odd.mbox", "application/mbox"),
        (b"From the start 10:00 was late.\nIt was.\n", "story", "text/plain"),
        (b"312\n" + HEADERS + b"\nbody", "1.emlx", "message/x-emlx"),
        (
            b'From: "Saved by Blink"\nSubject: x\nContent-Type: multipart/related; boundary=b\n\n',
            "p",
            "multipart/related",
        ),
        (
            b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Location: file:///C:/x\n\n",
            "saved by an office program",
            "multipart/related",
        ),
        (HEADERS + b"Content-Type: multipart/related; boundary=b\n\n--b\n", "picture in a mail", MAIL),
        (b'Content-Type: multipart/signed;\n\tboundary="b"\n\n--b\n', "smime.p7m", MAIL),
        (b"Content-Type: the kind of content\nwords\n", "a", "text/plain"),
    ],
)
def test_mail_is_known_by_its_fields(data: bytes, name: str, media_type: str) -> None:
    assert type_of(data, name) == media_type


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (b"<!DOCTYPE html><html>", "a", "text/html"),
        (b"\n <!-- a comment --> <HTML><p>", "a", "text/html"),
        ("<html>ü".encode("utf-16"), "a", "text/html"),
        (b"words, then <b>tags</b>", "a.htm", "text/html"),
        (b"words, then <b>tags</b>", "a", "text/plain"),
        (b'<?xml version="1.0"?><note/>', "a", "application/xml"),
        (b'<?xml version="1.0"?><!-- x --><svg xmlns="s"/>', "a", "image/svg+xml"),
        (b'<?xml version="1.0"?><html xmlns="h"/>', "a", "application/xhtml+xml"),
        (b'<?xml version="1.0"?><FictionBook xmlns="f"/>', "a", "application/x-fictionbook+xml"),
        (b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w/>', "a", "application/vnd.ms-wordml"),
        (
            b'<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text">',
            "a",
            "application/vnd.oasis.opendocument.text-flat-xml",
        ),
        (b'{"a": 1}', "a", "application/json"),
        (b'[{"a": 1}]', "a", "application/json"),
        (b"[1] first footnote", "a", "text/plain"),
        (b"[1, 2]", "a.json", "application/json"),
        (b"BEGIN:VCALENDAR\nVERSION:2.0\n", "a", "text/calendar"),
        (b"BEGIN:VCARD\n", "a", "text/vcard"),
        (b"home.begin:vCard\r\n", "a", "text/vcard"),
        (b"BEGIN:VEVENT\r\nSUMMARY:Rent\r\n", "a", "text/calendar"),
        (b"BEGIN:VEVENTS are these\n", "a", "text/plain"),
        (b"-----BEGIN PKCS7-----\nMIIB", "a", "application/pkcs7-mime"),
        (b"a,b\n1,2\n", "a.csv", "text/csv"),
        (b"a,b\n1,2\n", "a.txt", "text/plain"),
        (b"# Title\n", "a.MD", "text/markdown"),
        ("Größe".encode("cp1252"), "a", "text/plain"),
        ("Договор поставки".encode("koi8-r"), "a", "text/plain"),
        ("Договор поставки\n".encode("utf-16-le"), "a", "text/plain"),
        ("契約書の写し\n次の行\n".encode("utf-16-be"), "a", "text/plain"),
        ("RENT\x85is due\x85\x85JOHN DOE\x85on the first".encode("cp037"), "a", "text/plain"),
        ("一切合同一律归档\u3002一式两份\n".encode("utf-16-le"), "a", "text/plain"),
        ("가나 계약서의 사본\n".encode("utf-16-be"), "a", "text/plain"),
        ("Ha\u0300 No\u0323\u0302i\n".encode("utf-16-le"), "a", "text/plain"),
        ("계약서 사본\n".encode("iso2022_kr"), "a", "text/plain"),
        (b"\xfeBEGDOC\xfe\x14\xfeENDDOC\xfe\r\n", "load.dat", "text/plain"),
        (b"FORM 10-K, annual report", "a", "text/plain"),
        (b"070701 minutes of the meeting", "a", "text/plain"),
        (b"BM is short for benchmark, which is long", "a", "text/plain"),
        (b"MZ was the initials of the man who wrote this long text, and many more besides it", "a", "text/plain"),
        (b"The header reads %PDF-1.4 in most files.", "a", "text/plain"),
    ],
)
def test_kinds_of_text_are_told_apart(data: bytes, name: str, media_type: str) -> None:
    assert type_of(data, name) == media_type


def test_zeros_inside_ascii_do_not_make_it_wide_text() -> None:
    assert type_of(b"a record\0padded with\0zeros and more words\0") == UNKNOWN


def test_only_the_head_of_a_plain_file_is_read() -> None:
    class Watched(io.BytesIO):
        asked = 0

        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            Watched.asked += len(data)
            return data

    data = HEADERS + b"\r\n" + b"words " * 100_000
    assert detect(lambda: Watched(data), len(data), "a.eml") == MAIL
    assert Watched.asked == 4096


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("a.CSV", "csv"),
        ("a.htm", "html"),
        ("a.emlx", "eml"),
        ("report.pdf", ""),
        ("letter.docx", ""),
        ("notes.txt", ""),
        ("csv", ""),
        (".csv", ""),
        ("folder.csv/file", ""),
        ("", ""),
    ],
)
def test_a_name_hints_only_where_it_can_decide(name: str, hint: str) -> None:
    assert name_hint(name) == hint


def test_names_with_one_hint_never_differ_in_type() -> None:
    samples = [HEADERS + b"\nx", b"words", b"a,b", b"<p>x", NOISE, zipped("Index.zip"), zlib.compress(NOISE), b"[1]"]
    names = ["a", "a.txt", "a.doc", "a.csv", "b.CSV", "a.eml", "b.emlx", "a.htm", "a.html", "a.mht", "a.pages", "a.key"]
    for data in samples:
        found: dict[str, str] = {}
        for name in names:
            assert found.setdefault(name_hint(name), type_of(data, name)) == type_of(data, name)


def test_a_well_known_extension_expects_its_types_and_their_siblings() -> None:
    word = zipped("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin")
    assert type_of(word) in expected_types("contract.docx")
    assert type_of(compound("EncryptedPackage")) in expected_types("contract.DOCX")
    assert type_of(b"\x89PNG\r\n\x1a\n") not in expected_types("contract.docx")
    assert type_of(HEADERS + b"\nx") in expected_types("saved.txt")
    assert type_of(b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d") in expected_types("notes.one")
    assert type_of(b"plain words") not in expected_types("notes.one")
    assert expected_types("unheard.of") == frozenset()
    assert expected_types("no extension") == frozenset()


class Counted(io.BytesIO):
    """Counts what is read of it."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


def long_directory() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        for number in range(200):
            writer.writestr(f"{number:03}" + "n" * 60_000, b"")
    return out.getvalue()


def circular_directory() -> bytes:
    """An OLE2 file of 64 KB sectors whose directory leads to itself."""
    head = bytearray(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    struct.pack_into("<H", head, 30, 16)
    struct.pack_into("<I", head, 48, 1)
    return bytes(head).ljust(1 << 16, b"\0") + struct.pack("<II", 1, 1).ljust(1 << 16, b"\0") + bytes(1 << 16)


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("hostile", [long_directory, circular_directory])
def test_no_file_makes_detection_read_more_than_five_megabytes(hostile: Callable[[], bytes]) -> None:
    """A parent asks for types, too."""
    file = Counted(hostile())
    detect(lambda: file, len(file.getbuffer()), "file")
    assert file.taken < 5 << 20


class Stumbling(io.BytesIO):
    """Whoever looks behind the first bytes stumbles."""

    def __init__(self, data: bytes, error: Exception) -> None:
        super().__init__(data)
        self._error = error

    def seek(self, offset: int, whence: int = 0) -> int:
        raise self._error


@pytest.mark.parametrize("error", [struct.error("unpack"), ValueError("negative seek"), KeyError(0)])
def test_bytes_that_a_rule_stumbles_over_are_unknown(error: Exception) -> None:
    data = zipped("a.txt")
    assert detect(lambda: Stumbling(data, error), len(data), "a.zip") == UNKNOWN


def test_what_cannot_be_read_is_no_type() -> None:
    data = zipped("a.txt")
    with pytest.raises(OSError, match="gone"):
        detect(lambda: Stumbling(data, OSError("gone")), len(data), "a.zip")
