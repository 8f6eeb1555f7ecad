"""EDRM XML 1.x: documents with tags and files, and how they belong together. Reads and writes it. Pure.

Declared entities are refused: evidence may not say what its own text means.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from redwell.core.errors import InvalidFile
from redwell.core.loadfiles.fields import BY_ALIAS, plain

_DEEPEST = 64
_SAID = {"Custodian": "custodian", "LocationURI": "filepath"}  # elements of a Location, by their text
_ATTACHING = frozenset({"", "attachment", "container"})  # other relationships, such as duplicates, make no family
_FILES = {"native": "nativepath", "text": "textpath", "image": "imagepath"}


@dataclass(slots=True, kw_only=True)
class EdrmDocument:
    id: str
    line: int = 0
    fields: dict[str, str] = field(default_factory=dict)  # by field, else by the tag's own name
    parent: str = ""
    inline: list[str] = field(default_factory=list)  # kinds of files whose bytes stand in the XML


def read_documents(chunks: Iterable[bytes]) -> list[EdrmDocument]:
    """All documents in order, each with its parent: relationships stand behind the last of them."""
    reader = _Reader()
    try:
        for chunk in chunks:
            reader.parser.Parse(chunk, False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise InvalidFile(f"line {error.lineno:,}: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError) as error:  # of the encoding that it declares
        raise InvalidFile(f"line 1: {error}") from None
    first = {each.id: each for each in reversed(reader.documents)}
    for parent, child in reader.relations:
        if child in first:
            first[child].parent = parent
    return reader.documents


class _Reader:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse
        self.parser.CharacterDataHandler = self._text
        self.documents: list[EdrmDocument] = []  # two with one id are both there, and told
        self.relations: list[tuple[str, str]] = []
        self._document: EdrmDocument | None = None
        self._file = ""
        self._words: list[str] | None = None
        self._depth = 0

    def _refuse(self, *_told: object) -> None:
        raise InvalidFile(f"line {self.parser.CurrentLineNumber:,}: it declares entities of its own")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InvalidFile(f"line {self.parser.CurrentLineNumber:,}: elements lie deeper than {_DEEPEST}")
        if name == "Document":
            self._document = EdrmDocument(id=attributes.get("DocID", ""), line=self.parser.CurrentLineNumber)
            self._keep("mimetype", attributes.get("MimeType", ""))
        elif name == "File":
            self._file = attributes.get("FileType", "").lower()
        elif name == "ExternalFile":
            self._external(attributes)
        elif name == "InlineContent" and self._document:
            self._document.inline.append(self._file or "file")
        elif name == "Tag":
            told = attributes.get("TagName", "")
            self._keep(BY_ALIAS.get(plain(told), told), attributes.get("TagValue", ""))
        elif name in _SAID:
            self._words = []
        elif name == "Relationship" and attributes.get("Type", "").lower() in _ATTACHING:
            self.relations.append((attributes.get("ParentDocID", ""), attributes.get("ChildDocID", "")))

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == "Document" and self._document:
            self.documents.append(self._document)
            self._document = None
        elif name in _SAID and self._words is not None:
            self._keep(_SAID[name], "".join(self._words).strip())
            self._words = None

    def _text(self, words: str) -> None:
        if self._words is not None:
            self._words.append(words)

    def _external(self, attributes: Mapping[str, str]) -> None:
        folder, name = attributes.get("FilePath", "").rstrip("\\/"), attributes.get("FileName", "")
        self._keep(_FILES.get(self._file, ""), f"{folder}\\{name}" if folder else name)
        if self._file == "native":
            self._keep("filesize", attributes.get("FileSize", ""))
            self._keep("md5", attributes.get("Hash", ""))

    def _keep(self, name: str, value: str) -> None:
        if self._document and name and value:
            self._document.fields.setdefault(name, value)


def write_documents(documents: Iterable[EdrmDocument]) -> Iterator[str]:
    """A batch of documents with their tags, files and relationships."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<Root DataInterchangeType="Update"><Batch><Documents>\n'
    relations = []
    for document in documents:
        yield _written(document)
        if document.parent:
            relations.append((document.parent, document.id))
    yield "</Documents>\n<Relationships>\n"
    for parent, child in relations:
        yield f'<Relationship Type="Attachment" ParentDocID={_attribute(parent)} ChildDocID={_attribute(child)}/>\n'
    yield "</Relationships></Batch></Root>\n"


def _written(document: EdrmDocument) -> str:
    files, tags = [], []
    for name, value in document.fields.items():
        if name in _FILES.values():
            kind = next(kind for kind, path in _FILES.items() if path == name).title()
            files.append(f'<File FileType="{kind}"><ExternalFile FileName={_attribute(value)}/></File>')
        elif name != "mimetype":
            tags.append(f'<Tag TagName={_attribute(name)} TagValue={_attribute(value)} TagDataType="Text"/>')
    mime = document.fields.get("mimetype", "")
    return (
        f"<Document DocID={_attribute(document.id)} MimeType={_attribute(mime)}>"
        f"<Files>{''.join(files)}</Files><Tags>{''.join(tags)}</Tags></Document>\n"
    )


def _attribute(value: str) -> str:
    """XML has no way to write most control characters: they become U+FFFD."""
    from xml.sax.saxutils import quoteattr  # brings a web client with it, which whoever reads does not need

    legal = "".join(char if char >= " " or char in "\t\n\r" else "\ufffd" for char in value)
    return quoteattr(legal, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
