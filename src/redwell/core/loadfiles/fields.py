"""The fields that load files usually have, what they are called, and what kind of value they hold. Pure, a table.

Read by the mapping (which column is which field), by the lint and by writers. Docs write it out.
"""

import re
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    TEXT = "text"
    BATES = "number of a page"
    RANGE = "range of pages"
    MULTI = "several values"
    DATE = "date"
    TIME = "time"
    NUMBER = "whole number"
    FLAG = "yes or no"
    HASH = "hash"
    FOLDER = "folders"
    PATH = "path of a file"


class Field(NamedTuple):
    kind: Kind
    aliases: str  # besides its own name; case, blanks and signs do not count
    meaning: str


K = Kind
FIELDS: dict[str, Field] = {
    "docid": Field(K.TEXT, "controlnumber ctrlnum controlno documentid docidentifier upi itemid uniqueid docnumber "
                   "recordid gid fileid", "id of the record"),
    "begbates": Field(K.BATES, "begdoc begno begbatesno begindoc beginbates beginningbates beginningbatesnumber "
                      "batesstart batesbegin prodbeg prodbegdoc productionbeginbates startbates firstbates bates "
                      "begcontrol begprod productionbegbates bates_number", "first page"),
    "endbates": Field(K.BATES, "enddoc endno endbatesno endingbates endingbatesnumber batesend prodend prodenddoc "
                      "productionendbates lastbates endcontrol endprod", "last page"),
    "begattach": Field(K.BATES, "begatt begattch begattachment beginattachment attachstart beginfamily begfamily "
                       "prodbegattach productionbegattach beginattach attachbegin familystart",
                       "first page of its family"),
    "endattach": Field(K.BATES, "endatt endattch endattachment attachend endfamily prodendattach "
                       "productionendattach familyend", "last page of its family"),
    "attachrange": Field(K.RANGE, "famlyrng familyrange attchrange attachmentrange attrange", "pages of its family"),
    "parentid": Field(K.TEXT, "parentdocid parentdocumentid parentbates parentbeg parent attachmentparent "
                      "parentcontrolnumber parentdoc pid", "id of the record that it is attached to"),
    "attachids": Field(K.MULTI, "attchids attachmentids attachdocs childids children attachmentdocids "
                       "attachids attid attachlist", "ids of what is attached to it"),
    "familyid": Field(K.TEXT, "groupidentifier groupid familygroup familyidentifier attachgroup", "id of its family"),
    "volume": Field(K.TEXT, "prodvol box volumename prodvolume productionvolume vol cdvol", "volume"),
    "company": Field(K.TEXT, "producingparty producedby party", "who produces it"),
    "custodian": Field(K.TEXT, "custdian custodianname cust primarycustodian", "whose it is"),
    "allcustodians": Field(K.MULTI, "dupcustodian dedupedcustodians dupcustodians duplicatecustodian allcustodian "
                           "othercustodians custodianother dedupecustodian dedupcustodians",
                           "everybody who had a copy"),
    "pgcount": Field(K.NUMBER, "pagecount pages pgs numpages pagecnt numberofpages imagecount", "pages"),
    "recordtype": Field(K.TEXT, "prprties rectype documenttype itemtype recordkind", "kind of record"),
    "from": Field(K.TEXT, "author_email emailfrom emailauthor mailfrom sender fromaddress emailsender", "sender"),
    "to": Field(K.MULTI, "emailto recipient recipients mailto toaddress", "recipients"),
    "cc": Field(K.MULTI, "emailcc ccs mailcc", "recipients of copies"),
    "bcc": Field(K.MULTI, "emailbcc mailbcc blindcopy", "recipients of hidden copies"),
    "subject": Field(K.TEXT, "emailsubject esubject re mailsubject", "subject"),
    "datesent": Field(K.DATE, "sentdate docdate emaildate emailsentdate sent datetimesent emaildatesent datesnt "
                      "sentdatetime", "when it was sent"),
    "timesent": Field(K.TIME, "senttime emailtime emailsenttime emailtimesent timesnt", "time of that"),
    "datercvd": Field(K.DATE, "datereceived receiveddate rcvddate emailreceiveddate datetimereceived daterec "
                      "datetimercvd receiveddatetime recvdate emaildatereceived", "when it was received"),
    "timercvd": Field(K.TIME, "timereceived receivedtime rcvdtime emailreceivedtime timerec recvtime", "time of that"),
    "timezone": Field(K.TEXT, "timezoneprocessed tz processingtimezone timezoneused", "zone of its times"),
    "messageid": Field(K.TEXT, "msgid internetmessageid emailmessageid emailmsgid", "message id"),
    "inreplyto": Field(K.TEXT, "inreplytoid replyto", "message id that it answers"),
    "references": Field(K.TEXT, "emailreferences", "message ids of its thread"),
    "convindex": Field(K.TEXT, "conversationindex convidx", "index of the conversation"),
    "threadid": Field(K.TEXT, "conversationid emailthreadid thread", "thread"),
    "importance": Field(K.TEXT, "priority emailimportance", "importance"),
    "msgclass": Field(K.TEXT, "messageclass emailclass itemclass", "kind of item, such as IPM.Note"),
    "meetingstart": Field(K.DATE, "meetingstartdate apptstartdate calendarstart", "when an appointment begins"),
    "meetingend": Field(K.DATE, "meetingenddate apptenddate calendarend", "when an appointment ends"),
    "attachcount": Field(K.NUMBER, "attcount numberofattachments attachmentcount numattach attachcnt attchcount "
                         "numattachments", "attachments"),
    "attachnames": Field(K.MULTI, "attachmentnames attchnames attachname attachmentlist", "names of attachments"),
    "filename": Field(K.TEXT, "originalfilename origfilename docname name_of_file file_name nativefilename "
                      "attachmentname", "name of the file"),
    "fileext": Field(K.TEXT, "fileextension docext extension documentextension ext docextension nativeextension",
                     "extension"),
    "filepath": Field(K.TEXT, "origpath sourcepath originalpath filepathname originalfilepath origfilepath",
                      "where the file lay"),
    "folder": Field(K.FOLDER, "folderpath emailfolder mailfolder foldername emailfolderpath origfolder", "folders"),
    "allpaths": Field(K.MULTI, "duppaths allfilepaths dupfilepath dedupedpath allpath", "where copies lay"),
    "filesize": Field(K.NUMBER, "size filelength nativefilesize docsize filesizebytes nativesize", "bytes"),
    "md5": Field(K.HASH, "md5hash hash hashvalue md5value filehash dochash nativemd5", "MD5"),
    "sha1": Field(K.HASH, "sha1hash sha1value", "SHA-1"),
    "sha256": Field(K.HASH, "sha256hash sha256value nativesha256", "SHA-256"),
    "mih": Field(K.HASH, "edrmmih messageidhash", "EDRM message id hash"),
    "doctype": Field(K.TEXT, "filetype nativetype filedescription", "type of the document"),
    "mimetype": Field(K.TEXT, "contenttype mediatype", "media type"),
    "application": Field(K.TEXT, "appname applicationname app", "program"),
    "author": Field(K.TEXT, "docauthor docauthors authors createdby", "author"),
    "lastauthor": Field(K.TEXT, "lastsavedby lastmodifiedby modifiedby lasteditedby", "who saved it last"),
    "title": Field(K.TEXT, "doctitle documenttitle", "title"),
    "keywords": Field(K.TEXT, "keyword dockeywords", "keywords"),
    "comments": Field(K.TEXT, "doccomments comment", "comments"),
    "createdate": Field(K.DATE, "datecreated datecrtd creationdate createddate datetimecreated created filecreated "
                        "docdatecreated",
                        "when it was made"),
    "createtime": Field(K.TIME, "timecreated timecrtd creationtime createdtime", "time of that"),
    "moddate": Field(K.DATE, "datemodified datesvd lastmoddate lastmodified modifieddate datelastmodified datemod "
                     "modificationdate datetimemodified lastmodifieddate datelastmod datesaved "
                     "docdatemodified", "when it was changed"),
    "modtime": Field(K.TIME, "timemodified timesvd lastmodtime modifiedtime timelastmod timesaved", "time of that"),
    "accdate": Field(K.DATE, "lastaccdate dateaccessed accesseddate lastaccessed datelastaccessed",
                     "when it was opened"),
    "printdate": Field(K.DATE, "dateprinted lastprinted datelastprinted dateprnt", "when it was printed"),
    "sortdate": Field(K.DATE, "parentdate primarydate masterdate familydate sortdatetime",
                      "date by which families sort"),
    "trackchanges": Field(K.FLAG, "hastrackchanges trackedchanges hasrevisions", "has tracked changes"),
    "hiddentext": Field(K.FLAG, "hashiddentext hidden hashiddendata", "has hidden text"),
    "hascomments": Field(K.FLAG, "commentsflag hascomment", "has comments"),
    "speakernotes": Field(K.FLAG, "hasspeakernotes notesflag", "has speaker notes"),
    "confidentiality": Field(K.TEXT, "confidential confdesig designation confidentialdesignation confdesignation "
                             "conf", "designation"),
    "redacted": Field(K.FLAG, "redaction hasredactions isredacted redactions redact", "has redactions"),
    "privileged": Field(K.TEXT, "privilege priv privdesignation privflag", "privilege"),
    "withheld": Field(K.FLAG, "placeholder slipsheet iswithheld", "only a slip sheet is given"),
    "reviewtags": Field(K.MULTI, "tags tag tagnames issuetags issuetag reviewtag", "tags of a review; set in the case"),
    "language": Field(K.TEXT, "languages primarylanguage doclanguage", "language"),
    "exception": Field(K.TEXT, "processingexception error processingerror exceptionreason", "what went wrong"),
    "textpath": Field(K.PATH, "textlink extractedtext ocrpath fulltext textfile extractedtextpath textfilepath "
                      "ocrtext textprecedence extractedtextlink ocrlink fulltextpath", "file with its text"),
    "nativepath": Field(K.PATH, "nativelink doclink native nativefile filelink nativefilepath itempath "
                        "nativefilelink edocpath linkednative nativepathlink exportnativepath", "file itself"),
    "imagepath": Field(K.PATH, "imagelink tiffpath pdfpath image imagefile pdflink imgpath", "file with its pages"),
}  # fmt: skip

_SIGNS = re.compile(r"[\W_]+")


def plain(name: str) -> str:
    """A column's name as aliases are compared: `Beg Doc #` is `begdoc`."""
    return _SIGNS.sub("", name).casefold()


def _by_alias() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, field in FIELDS.items():
        for alias in (name, *field.aliases.split()):
            found.setdefault(plain(alias), name)
    return found


BY_ALIAS = _by_alias()
