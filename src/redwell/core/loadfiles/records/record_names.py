"""Fields of load files that other documents have under another name. A table."""

# fields that other documents have under another name; all others keep theirs
NAMES = {
    "messageid": "message_id",
    "inreplyto": "in_reply_to",
    "msgclass": "message_class",
    "lastauthor": "last_modified_by",
    "datesent": "date",
    "datercvd": "date_received",
    "createdate": "created",
    "moddate": "modified",
    "printdate": "last_printed",
    "attachcount": "attachment_count",
    "pgcount": "stated_pages",
    "md5": "stated_md5",
    "sha1": "stated_sha1",
    "sha256": "stated_sha256",
    "filesize": "stated_size",
    "mimetype": "stated_type",
    "language": "stated_language",
}
