"""The vocabulary of RTF that matters for text. Used by the RTF reader in a child."""

SYMBOLS = {
    **dict.fromkeys(("par", "line", "sect", "page", "row", "nestrow", "column", "softline"), "\n"),
    **dict.fromkeys(("tab", "cell", "nestcell"), "\t"),
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
    "emdash": "\N{EM DASH}",
    "endash": "\N{EN DASH}",
    "lquote": "\N{LEFT SINGLE QUOTATION MARK}",
    "rquote": "\N{RIGHT SINGLE QUOTATION MARK}",
    "ldblquote": "\N{LEFT DOUBLE QUOTATION MARK}",
    "rdblquote": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "bullet": "\N{BULLET}",
    "objattph": "\N{OBJECT REPLACEMENT CHARACTER}",  # where a mail shows an attachment
}
ESCAPES = {"~": "\N{NO-BREAK SPACE}", "_": "\N{NON-BREAKING HYPHEN}", "-": "", "\n": "\n", "\r": "\n"}
# destinations whose words are not the document's
SKIPPED = frozenset(
    """colortbl stylesheet listtable listoverridetable rsidtbl generator themedata colorschememapping datastore
    latentstyles xmlnstbl mmathPr fldinst filetbl revtbl pict nonshppict ftnsep ftnsepc ftncn aftnsep aftnsepc
    aftncn bkmkstart bkmkend template pgptbl passwordhash wgrffmtfilter userprops docvar xe tc rxe txe objalias
    objname objsect objtime falt panose atnid atndate atnref atntime atnparent fontemb fontfile pnseclvl listname
    listlevel lsdlockedexcept mvfmf mvfml oldcprops oldpprops oldtprops oldsprops blipuid background""".split()
)
# destinations marked as ignorable whose words count nonetheless
_READ = frozenset(("shpinst", "shptxt", "shprslt", "annotation", "footnote", "fldrslt", "shppict", "atnauthor"))
# read apart and placed behind the paragraph they hang on; `sv` is the value of a shape's property
_ASIDE = frozenset(
    "header headerl headerr headerf footer footerl footerr footerf footnote annotation atnauthor shptxt sv".split()
)
INFO = {
    "title": "title",
    "subject": "subject",
    "author": "author",
    "operator": "last_modified_by",
    "keywords": "keywords",
    "doccomm": "comments",
    "comment": "comments",
    "company": "company",
    "manager": "manager",
    "category": "category",
}
INFO_DATES = {"creatim": "created", "revtim": "modified", "printim": "last_printed"}
READ = _READ | INFO.keys() | {"objdata", "fonttbl"}
KEPT = _ASIDE | INFO.keys()
OPEN = KEPT | INFO_DATES.keys() | {"fonttbl", "objdata", "info", "objclass", "sn"}
CHARSETS = {
    0: "cp1252", 77: "mac-roman", 78: "shift_jis", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
